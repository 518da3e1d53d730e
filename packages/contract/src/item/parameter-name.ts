/**
 * The one name of a parameter, by which values are kept and looked up: a name without `metadata.` before it gets it. One
 * that has it keeps it, so that `metadata.metadata.region` is another parameter than `metadata.region`.
 */
export const parameterName = (name: string): string => (name.startsWith('metadata.') ? name : `metadata.${name}`);

/** Whether two names are those of one parameter. */
export const isSameParameter = (one: string, other: string): boolean => parameterName(one) === parameterName(other);
