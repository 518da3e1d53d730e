/**
 * Returns the offset of the first character that makes a text invalid JSON. If the text is truncated, returns its
 * length.
 */
export function jsonFaultAt(text: string): number {
  const brackets: ('[' | '{')[] = [];
  const token =
    /[ \t\n\r]*(?:([[\]{}:,])|("(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b))/uy;
  /**
   * What the grammar allows next. `valueOrEnd` and `nameOrEnd` are possible after an opening bracket, `after` after a
   * complete value.
   */
  let expectedToken: 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'after' = 'value';
  let at = 0;
  const start = (): number => at + (/^[ \t\n\r]*/u.exec(text.slice(at, at + 1000))?.[0].length ?? 0);
  for (;;) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) return Math.min(start(), text.length);
    const [, sign, string, scalar] = match;
    const isValue = expectedToken === 'value' || expectedToken === 'valueOrEnd';
    const isName = expectedToken === 'name' || expectedToken === 'nameOrEnd';
    if (string !== undefined && isName) expectedToken = 'colon';
    else if ((string !== undefined || scalar !== undefined) && isValue) expectedToken = 'after';
    else if (sign === ':' && expectedToken === 'colon') expectedToken = 'value';
    else if ((sign === '[' || sign === '{') && isValue) {
      brackets.push(sign);
      expectedToken = sign === '[' ? 'valueOrEnd' : 'nameOrEnd';
    } else if (sign === ',' && expectedToken === 'after' && brackets.length > 0)
      expectedToken = brackets.at(-1) === '[' ? 'value' : 'name';
    else if (sign === ']' && brackets.at(-1) === '[' && (expectedToken === 'after' || expectedToken === 'valueOrEnd')) {
      brackets.pop();
      expectedToken = 'after';
    } else if (
      sign === '}' &&
      brackets.at(-1) === '{' &&
      (expectedToken === 'after' || expectedToken === 'nameOrEnd')
    ) {
      brackets.pop();
      expectedToken = 'after';
    } else return start();
    at = token.lastIndex;
  }
}

/** Converts an offset to line and column, both counted from 1. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const precedingLines = text.slice(0, offset).split('\n');
  return { line: precedingLines.length, column: (precedingLines.at(-1)?.length ?? 0) + 1 };
}
