import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
/** Labels of texts that are not in the repository, such as a rule by its number. */
const labels = [
  /\bdecisions? [AWRSX]\d/iu,
  /\bdecisions?, (?:section )?\d/iu,
  /\bshapes, sections? \d/iu,
  /\bAPI\s+document\b/u,
  /\bsafety (?:row )?[RS]\d/iu,
  /\brow [RS]\d/iu,
  /\((?:[RSWX]\d{1,2}[a-z]?)(?:, [RSWX]\d{1,2}[a-z]?)*\)/u,
  // The OpenAPI description and a document of a browser are named so.
  /\b(?:of|from|that|in) the document\b(?! (?:of|with)\b)/u,
  /\bthe document's\b/u,
];
const labelIn = (text: string): string | undefined => labels.find((label) => label.test(text))?.source;

it('nothing in the repository points to a text that is not in it', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: root }).toString().trim().split('\n');
  const read = files.filter((file) => /\.(?:ts|mjs|md|json|yaml|yml)$/u.test(file) && file !== 'package-lock.json');
  expect(read.length).toBeGreaterThan(500);
  const found = read.flatMap((file) => {
    const label = file.endsWith('labels.test.ts') ? undefined : labelIn(readFileSync(join(root, file), 'utf8'));
    return label === undefined ? [] : [`${file}: ${label}`];
  });
  expect(found).toEqual([]);
});

it('such a label is noticed', () => {
  for (const text of [
    `(decision ${'W4'})`,
    'decisions, section 7',
    'shapes, section 4',
    `the API ${'document'}: rule 2`,
    'safety R11',
    'Safety row S13',
    'Row S19: not significant',
    'refused (R1, R6)',
    'a sentence of the document',
    "the document's table",
  ])
    expect(labelIn(text), text).toBeDefined();
  expect(labelIn('the OpenAPI description, a decision about sections')).toBeUndefined();
});
