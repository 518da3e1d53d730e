import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { weakKey, weakPassword, weakToken } from './weak.ts';

test('random keys and tokens are never taken for guessable ones', () => {
  for (let round = 0; round < 2000; round += 1) {
    expect(weakKey(randomBytes(32))).toBeUndefined();
    expect(weakToken(randomBytes(24).toString('base64url'))).toBeUndefined();
  }
});

test.each(['blue harbour kettle', 'Ty7-kq0P_vB2x', 'пароль для отчётов', '青い港のやかんと古い地図帳'])(
  'the password %s is good',
  (password) => {
    expect(weakPassword(password)).toBeUndefined();
  },
);

test.each([
  'hunter2',
  'adminadminadmin',
  'P@ssw0rd-2025!',
  'welcome-admin-123',
  'qwertyuiop12',
  'abcabcabcabc',
  'abcdefghijklm',
])('the password %s is refused', (password) => {
  expect(weakPassword(password)).toBeTypeOf('string');
});
