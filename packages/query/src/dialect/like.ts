/**
 * The escape character of LIKE patterns. Several databases treat backslashes specially; no database does so for `!`.
 */
export const likeEscape = '!';

const escaped = (character: string): string => (/[!%_]/.test(character) ? likeEscape + character : character);

/**
 * Converts a LIKE pattern of a request to the form that dialects use. In a request, `%` matches any text, `_` matches
 * one character, and a backslash escapes `%`, `_` or a backslash.
 */
export const likePattern = (pattern: string): string =>
  pattern.replace(/\\([\\%_])|[!\\]/g, (match, escapedCharacter: string | undefined) =>
    escaped(escapedCharacter ?? match),
  );

/** Returns a pattern of a request in the form of a database whose backslash escapes any character. */
export const backslashPattern = (pattern: string): string =>
  pattern.replace(/\\([\\%_])|\\/g, (match, escapedCharacter: string | undefined) =>
    escapedCharacter === undefined ? '\\\\' : match,
  );

/** True if a pattern consists only of text and `%`. */
export const isOnlyParts = (pattern: string): boolean => !/[\\_]/u.test(pattern);

/** Returns a pattern of a request as a regular expression in which `.` is any character. */
export const likeExpression = (pattern: string): string =>
  pattern.replace(/\\([\\%_])|[%_]|[\\^$.*+?()[\]{}|]/g, (match, escapedCharacter: string | undefined) => {
    if (escapedCharacter === undefined && match === '%') return '.*';
    if (escapedCharacter === undefined && match === '_') return '.';
    return `\\${escapedCharacter ?? match}`;
  });
