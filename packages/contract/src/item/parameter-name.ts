/**
 * Returns the canonical name of a parameter, which has the prefix `metadata.`. A name that already has the prefix is
 * unchanged, so `metadata.metadata.region` and `metadata.region` are different parameters.
 */
export const parameterName = (name: string): string => (name.startsWith('metadata.') ? name : `metadata.${name}`);

export const isSameParameter = (left: string, right: string): boolean => parameterName(left) === parameterName(right);
