import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../docs/decisions');
const parts = ['## Context', '## Decision', '## Alternatives considered', '## Consequences'];

/** What is wrong with the form of a decision record. */
function faultsIn(name: string, text: string): readonly string[] {
  const number = Number(/^\d{4}/u.exec(name)?.[0]);
  const [title = '', ...lines] = text.split('\n');
  const headings = lines.filter((line) => line.startsWith('## '));
  return [
    ...(new RegExp(`^# ${number}\\. \\S`, 'u').test(title) ? [] : [`${name}: the title must be "# ${number}. …"`]),
    ...(headings.join() === parts.join() ? [] : [`${name}: the parts must be ${parts.join(', ')}`]),
  ];
}

test('every decision record has a number of its own in its title, and the four usual parts', () => {
  const records = readdirSync(folder);
  expect(records.map((name) => Number.parseInt(name, 10))).toEqual(records.map((_, index) => index + 1));
  expect(records.flatMap((name) => faultsIn(name, readFileSync(join(folder, name), 'utf8')))).toEqual([]);
  expect(faultsIn('0001-a.md', '# A\n\n## Context\n')).toHaveLength(2);
});
