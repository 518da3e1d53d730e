/** The escape character of patterns. Several databases treat backslashes specially, none `!`. */
export const likeEscape = '!';

const escaped = (character: string): string => (/[!%_]/.test(character) ? likeEscape + character : character);

/**
 * Converts a pattern of a request to an argument of `like`: `%` is any text, `_` one character, a backslash
 * escapes both and itself.
 */
export const likePattern = (asked: string): string =>
  asked.replace(/\\([\\%_])|[!\\]/g, (found, plain: string | undefined) => escaped(plain ?? found));

/** True if a pattern has only text and `%`. */
export const isOnlyParts = (asked: string): boolean => !/[\\_]/u.test(asked);

/** A pattern of a request as a regular expression in which `.` is any character. */
export const likeExpression = (asked: string): string =>
  asked.replace(/\\([\\%_])|[%_]|[\\^$.*+?()[\]{}|]/g, (found, plain: string | undefined) => {
    if (plain === undefined && found === '%') return '.*';
    if (plain === undefined && found === '_') return '.';
    return `\\${plain ?? found}`;
  });
