/** Returns the offset of the first character that makes a text invalid JSON, or its length if the text is truncated. */
export function jsonFaultAt(text: string): number {
  const open: ('[' | '{')[] = [];
  const token =
    /[ \t\n\r]*(?:([[\]{}:,])|("(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b))/uy;
  /**
   * What the grammar allows next. `valueOrEnd` and `nameOrEnd` follow an opening bracket; `after` follows a complete
   * value.
   */
  let next: 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'after' = 'value';
  let at = 0;
  const start = (): number => at + (/^[ \t\n\r]*/u.exec(text.slice(at, at + 1000))?.[0].length ?? 0);
  for (;;) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) return Math.min(start(), text.length);
    const [, sign, string, scalar] = match;
    const isValue = next === 'value' || next === 'valueOrEnd';
    const isName = next === 'name' || next === 'nameOrEnd';
    if (string !== undefined && isName) next = 'colon';
    else if ((string !== undefined || scalar !== undefined) && isValue) next = 'after';
    else if (sign === ':' && next === 'colon') next = 'value';
    else if ((sign === '[' || sign === '{') && isValue) {
      open.push(sign);
      next = sign === '[' ? 'valueOrEnd' : 'nameOrEnd';
    } else if (sign === ',' && next === 'after' && open.length > 0) next = open.at(-1) === '[' ? 'value' : 'name';
    else if (sign === ']' && open.at(-1) === '[' && (next === 'after' || next === 'valueOrEnd')) {
      open.pop();
      next = 'after';
    } else if (sign === '}' && open.at(-1) === '{' && (next === 'after' || next === 'nameOrEnd')) {
      open.pop();
      next = 'after';
    } else return start();
    at = token.lastIndex;
  }
}

/** Converts an offset to line and column, both counted from 1. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
