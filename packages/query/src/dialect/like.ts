/** Escapes in patterns that dialects write: no database gives `!` a meaning of its own, as several do to a backslash. */
export const likeEscape = '!';

const escaped = (character: string): string => (/[!%_]/.test(character) ? likeEscape + character : character);

/**
 * A pattern of a request as the second argument of `like`: `%` is any text, `_` one character, a backslash before
 * either (or before a backslash) takes its meaning away.
 */
export const likePattern = (asked: string): string =>
  asked.replace(/\\([\\%_])|[!\\]/g, (found, plain: string | undefined) => escaped(plain ?? found));

/** Whether a pattern of a request holds nothing but text and `%`. */
export const isOnlyParts = (asked: string): boolean => !/[\\_]/u.test(asked);

/** A pattern of a request as a regular expression in which `.` is any character. */
export const likeExpression = (asked: string): string =>
  asked.replace(/\\([\\%_])|[%_]|[\\^$.*+?()[\]{}|]/g, (found, plain: string | undefined) => {
    if (plain === undefined && found === '%') return '.*';
    if (plain === undefined && found === '_') return '.';
    return `\\${plain ?? found}`;
  });
