import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formulaFunctions, signatureOf } from '@inlay/query';

const guide = readFileSync(join(import.meta.dirname, '../../docs/specification/formulas.md'), 'utf8');

test('the guide tells of every function what the product says of it, and of no other', () => {
  const rows = guide.split('\n').filter((line) => /^\| `[a-z]+\(/.test(line));
  expect(rows).toHaveLength(formulaFunctions.length);
  formulaFunctions.forEach((one, index) => {
    const row = rows[index]?.replace(/\s+/g, ' ') ?? '';
    expect(row).toContain(`| \`${signatureOf(one)}\` |`);
    expect(row.endsWith(`| ${one.aggregates ? 'aggregate: ' : ''}${one.description} |`), row).toBe(true);
  });
});
