import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dataItemTypes } from '@inlay/contract';

const dist = new URL('../../packages/embed/dist/', import.meta.url);
const drawnTypes = /area|bar-|column|line|donut|scatter|sunburst|treemap|bubble|circle|map/u;

/** Returns a file with everything that it imports at once. */
function withImports(name: string, seen: Set<string>): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(new URL(name, dist), 'utf8');
  for (const [, file = ''] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/gu)) withImports(file, seen);
  return seen;
}

const bytesOf = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + statSync(new URL(`${name}.gz`, dist)).size, 0);

/** Bytes gzipped: what each script brings, and what each type adds as the first one shown and after another. */
export interface Sizes {
  readonly element: number;
  /** What the script of the editor brings, before the first chart. */
  readonly editor: number;
  readonly types: readonly { readonly type: string; readonly first: number; readonly further: number }[];
}

/** Measures the built elements. A further type comes after a column chart, a column chart after a donut. */
export function sizesOf(): Sizes {
  const files = readdirSync(dist).filter((name) => name.endsWith('.js'));
  const chunk = (name: string): string => files.find((file) => file.startsWith(`chunk-${name}-`)) ?? '';
  const element = withImports('inlay.js', new Set());
  const after = (type: string, before: ReadonlySet<string>): Set<string> => {
    const seen = withImports(chunk(type), new Set(before));
    withImports(chunk('card'), seen);
    if (drawnTypes.test(type)) withImports(chunk('drawing'), seen);
    if (type.endsWith('-filter')) withImports(chunk('control-view'), seen);
    if (type === 'evolution-number') withImports(chunk('figure-view'), seen);
    return seen;
  };
  const types = dataItemTypes.map((type) => {
    const before = after(type === 'column-chart' ? 'donut-chart' : 'column-chart', element);
    const first = bytesOf(after(type, element)) - bytesOf(element);
    return { type, first, further: bytesOf(after(type, before)) - bytesOf(before) };
  });
  return { element: bytesOf(element), editor: bytesOf(withImports('editor.js', new Set())), types };
}
