import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vocabulary, type Entry } from '../../packages/query/src/formula/vocabulary.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/specification/formulas.md'), 'utf8');
const entries: readonly (readonly [string, Entry])[] = Object.entries(vocabulary);

test('the guide tells of every function what the product says of it, and of no other', () => {
  const rows = guide.split('\n').filter((line) => /^\| `[a-z]+\(/.test(line));
  expect(rows).toHaveLength(entries.length);
  entries.forEach(([name, { aggregates, description }], index) => {
    const row = rows[index]?.replace(/\s+/g, ' ') ?? '';
    expect(row).toContain(`\`${name}(`);
    expect(row.endsWith(`| ${aggregates === true ? 'aggregate: ' : ''}${description} |`), row).toBe(true);
  });
});
