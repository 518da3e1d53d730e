import type { Fault, Json } from '@inlay/contract';

const refused: readonly (readonly [RegExp, string])[] = [
  [/<\/?\s*style|<!--|-->|<\s*script/iu, 'must not contain markup'],
  [/@\s*(?:import|charset|namespace|font-face)/iu, 'must not use @import, @charset, @namespace or @font-face'],
  [
    /(?:url|image-set|image|element|cross-fade|src|paint|attr)\s*\(/iu,
    'must not load anything: no url(), image-set() and the like',
  ],
  [/expression\s*\(|-moz-binding|behavior\s*:|javascript\s*:/iu, 'must not run anything'],
  [/\\/u, 'must not contain a backslash'],
];

/** Replaces the content between each pair of delimiters in a single pass. Returns undefined if a pair is not closed. */
function without(css: string, pairs: Readonly<Record<string, string>>, instead: string): string | undefined {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < css.length; at += 1) {
    const open = Object.keys(pairs).find((sign) => css.startsWith(sign, at));
    if (open === undefined) continue;
    const close = pairs[open] ?? '';
    const end = css.indexOf(close, at + open.length);
    if (end < 0 || (open.length === 1 && css.slice(at, end).includes('\n'))) return undefined;
    pieces.push(css.slice(from, at), instead);
    from = end + close.length;
    at = from - 1;
  }
  return pieces.join('') + css.slice(from);
}

const comments = { '/*': '*/' } as const;
const textsAndComments = { ...comments, '"': '"', "'": "'" } as const;

/**
 * Checks that custom CSS affects only its own dashboard and loads nothing. Comments cannot hide a refused word from the
 * check. specification/themes#custom-css
 */
export function checkCss(value: Json, at: string, fault: Fault): void {
  if (typeof value !== 'string') return;
  const plain = without(value, comments, '') ?? value;
  for (const [pattern, message] of refused) if (pattern.test(plain) || pattern.test(value)) fault(at, message);
  const blocks = without(value, textsAndComments, ' ');
  if (blocks === undefined) return fault(at, 'has a comment or a text that is not closed');
  let depth = 0;
  for (const sign of blocks) {
    depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
    if (depth < 0) break;
  }
  if (depth !== 0) fault(at, 'has braces that do not match');
}
