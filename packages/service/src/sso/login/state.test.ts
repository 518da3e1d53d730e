import { expect, test } from 'vitest';
import type { Keyring } from '../../config/keys.ts';
import { SignOnFault } from '../fault.ts';
import { handOverOf } from './login.ts';
import { cookieName, createSealer, loginStateOf, ourCookies, setCookie } from './state.ts';

const ringOf = (...ids: readonly string[]): Keyring => ({
  current: ids[0] ?? '',
  keys: new Map(ids.map((id) => [id, new Uint8Array(32).fill(id.charCodeAt(0))])),
});
const state = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP_';
const value = {
  state,
  nonce: 'n',
  verifier: 'v',
  configurationId: 'c',
  organization: 'o',
  fingerprint: 'f',
  until: 1000,
};

test('a cookie is kept to https and this host, away from scripts and other sites', () => {
  expect(setCookie(true, cookieName(true, state), 'x')).toBe(
    '__Host-inlay-sso-abcdefghijkl=x; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure',
  );
  expect([
    ...ourCookies('a=1; inlay-sso-abcdefghijkl=x; __Host-inlay-sso-abcdefghijkl=y=z; inlay-sso-short=1').entries(),
  ]).toEqual([
    ['inlay-sso-abcdefghijkl', 'x'],
    ['__Host-inlay-sso-abcdefghijkl', 'y=z'],
  ]);
});

test('a sign-in is known for ten minutes, by the cookie of its own name', () => {
  const sealer = createSealer(() => ringOf('a'));
  const name = cookieName(true, state);
  const cookies = new Map([[name, sealer.seal('login', name, { ...value, handOver: { kind: 'test', userId: 'u' } })]]);
  expect(loginStateOf(sealer, cookies, { state, secure: true, nowMs: 999 })).toMatchObject({
    configurationId: 'c',
    handOver: { kind: 'test', userId: 'u' },
  });
  for (const at of [
    { state, secure: true, nowMs: 1000 },
    { state, secure: false, nowMs: 0 },
    { state: `${state.slice(0, -1)}-`, secure: true, nowMs: 0 },
    { state: 'short', secure: true, nowMs: 0 },
  ])
    expect(() => loginStateOf(sealer, cookies, at)).toThrow(SignOnFault);
  const elsewhere = new Map([[name, sealer.seal('prove', name, value)]]);
  expect(() => loginStateOf(sealer, elsewhere, { state, secure: true, nowMs: 0 })).toThrow(SignOnFault);
});

test('a sign-in goes on after the key was rotated, on an instance that has not heard of it', () => {
  const rings = [ringOf('a'), ringOf('b', 'a')];
  const before = createSealer(() => rings.shift() ?? ringOf());
  before.seal('login', 'name', value);
  const after = createSealer(() => ringOf('b', 'a'));
  expect(before.open('login', 'name', after.seal('login', 'name', value))).toEqual(value);
  expect(createSealer(() => ringOf('c')).open('login', 'name', after.seal('login', 'name', value))).toBeUndefined();
  expect(after.open('login', 'name', 'v1.nothing')).toBeUndefined();
});

test('a page without a challenge is told by a message, one with it gets a code', () => {
  const asked = { organization: 'o', returnTo: 'https://app.example.com/x?y=1', challenge: null };
  const origins = ['https://app.example.com'];
  expect(handOverOf(asked, origins)).toEqual({ kind: 'message', origin: 'https://app.example.com' });
  const challenge = 'x'.repeat(43);
  expect(handOverOf({ ...asked, challenge }, origins)).toMatchObject({ kind: 'code', challenge });
  expect(() => handOverOf({ ...asked, challenge: 'plain' }, origins)).toThrow(SignOnFault);
  expect(() => handOverOf(asked, [])).toThrow(SignOnFault);
  expect(handOverOf({ ...asked, returnTo: null }, [])).toEqual({ kind: 'none' });
});
