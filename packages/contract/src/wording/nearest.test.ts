import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const known = ['disable_email_password', 'protocol', 'config', 'name', 'discovery_url', 'average'];

test.each([
  ['disable_email_pasword', 'disable_email_password'],
  ['protcol', 'protocol'],
  ['Name', 'name'],
  ['NAME', 'name'],
  ['disableEmailPassword', 'disable_email_password'],
  ['nmae', 'name'],
  ['discover', 'discovery_url'],
  ['disc', undefined],
  ['avg', 'average'],
  ['x', undefined],
  ['', undefined],
])('a slip of the pen is recognised, a different word is not: %s', (word, expected) => {
  expect(nearest(word, known)).toBe(expected);
});

test('a known word is its own nearest, and any text gives a known word or nothing', () => {
  for (const word of known) expect(nearest(word, known)).toBe(word);
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (text) => {
      expect([...known, undefined]).toContain(nearest(text, known));
    }),
  );
});
