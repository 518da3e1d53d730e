/** The escape character of patterns. Several databases treat backslashes specially, none `!`. */
export const likeEscape = '!';

const escaped = (character: string): string => (/[!%_]/.test(character) ? likeEscape + character : character);

/**
 * Converts a pattern of a request to an argument of `like`: `%` is any text, `_` one character, a backslash
 * escapes both and itself.
 */
export const likePattern = (pattern: string): string =>
  pattern.replace(/\\([\\%_])|[!\\]/g, (match, escapedCharacter: string | undefined) =>
    escaped(escapedCharacter ?? match),
  );

/** True if a pattern has only text and `%`. */
export const isOnlyParts = (pattern: string): boolean => !/[\\_]/u.test(pattern);

/** Returns a pattern of a request as a regular expression in which `.` is any character. */
export const likeExpression = (pattern: string): string =>
  pattern.replace(/\\([\\%_])|[%_]|[\\^$.*+?()[\]{}|]/g, (match, escapedCharacter: string | undefined) => {
    if (escapedCharacter === undefined && match === '%') return '.*';
    if (escapedCharacter === undefined && match === '_') return '.';
    return `\\${escapedCharacter ?? match}`;
  });
