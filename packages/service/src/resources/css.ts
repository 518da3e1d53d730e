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

/** Strings and comments taken out, so that braces inside them do not count; undefined where one is left open. */
function bare(css: string): string | undefined {
  const without = css.replaceAll(/\/\*[\s\S]*?\*\/|"[^"\n]*"|'[^'\n]*'/gu, ' ');
  return /["']|\/\*/u.test(without) ? undefined : without;
}

/** Custom CSS that stays in its place and loads nothing (decision X6). Comments cannot hide a refused word. */
export function checkCss(value: Json, at: string, fault: Fault): void {
  if (typeof value !== 'string') return;
  const plain = value.replaceAll(/\/\*[\s\S]*?\*\//gu, '');
  for (const [pattern, message] of refused) if (pattern.test(plain) || pattern.test(value)) fault(at, message);
  const blocks = bare(value);
  if (blocks === undefined) return fault(at, 'has a comment or a text that is not closed');
  let depth = 0;
  for (const sign of blocks) {
    depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
    if (depth < 0) break;
  }
  if (depth !== 0) fault(at, 'has braces that do not match');
}
