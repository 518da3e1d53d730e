import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { weakKey, weakPassword, weakToken } from './weak-keys.ts';

test('random keys and tokens are never taken for guessable ones', () => {
  for (let round = 0; round < 2000; round += 1) {
    expect(weakKey(randomBytes(32))).toBeUndefined();
    expect(weakToken(randomBytes(24).toString('base64url'))).toBeUndefined();
  }
});

test.each(['4fQwErTyJ-0sVb7XnK2mRz_9LpHc6TdW', 'g3Mk_Zr8vNSecretq-Y1xBf5CjU7wKe0', '9AdMiN2f-Kq3ay7bKx0qVtR4nWmZc_Ps'])(
  'the token %s is good: chance wrote the word in it',
  (token) => {
    expect(weakToken(token)).toBeUndefined();
  },
);

test.each([
  'secret-qwerty-Abc123-letmein-1xF7-2024',
  'inlay-admin-secret-for-test-machines',
  'changeme-9fK2mRz_Lp7HcTdW4fJ0sVb6XnB1q8Yg',
  'abcd'.repeat(10),
])('the token %s is refused', (token) => {
  expect(weakToken(token)).toBeTypeOf('string');
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
