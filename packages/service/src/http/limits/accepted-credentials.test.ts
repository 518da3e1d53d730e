import { expect, it } from 'vitest';
import { createAcceptedCredentials } from './accepted-credentials.ts';

it('credentials count as accepted for ten minutes, and only as they were sent', () => {
  let nowMs = 0;
  const accepted = createAcceptedCredentials(() => nowMs);
  accepted.add('Bearer a:b', 'one');
  accepted.add(undefined, 'two');
  expect(['Bearer a:b', 'Bearer a:c', undefined].map((header) => accepted.organizationOf(header))).toEqual([
    'one',
    null,
    null,
  ]);
  nowMs = 10 * 60_000 - 1;
  expect(accepted.organizationOf('Bearer a:b')).toBe('one');
  nowMs += 1;
  expect(accepted.organizationOf('Bearer a:b')).toBeNull();
});

it('the longest unused of many credentials are forgotten', () => {
  const accepted = createAcceptedCredentials(() => 0);
  for (let at = 0; at < 10_001; at += 1) accepted.add(`Bearer ${at}`, `organization ${at % 20}`);
  expect([0, 1, 10_000].map((at) => accepted.organizationOf(`Bearer ${at}`))).toEqual([
    null,
    'organization 1',
    'organization 0',
  ]);
});

it('an organization that sends many keeps out no other', () => {
  const accepted = createAcceptedCredentials(() => 0);
  accepted.add('Bearer other', 'other');
  for (let at = 0; at < 20_000; at += 1) accepted.add(`Bearer${' '.repeat(at % 100)} ${at}`, 'one');
  expect(accepted.organizationOf('Bearer other')).toBe('other');
});
