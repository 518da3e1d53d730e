import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { splitFilters } from '../access/filter-kinds.ts';
import { Problem } from '../problems/problem.ts';
import { overrideFor, resolveAccount } from './resolve-account.ts';

const account = (more: JsonObject = {}) => ({
  id: 'a',
  organizationId: 'o',
  revision: 1,
  sealed: { token: 'sealed', 'properties.key': 'sealed key' },
  record: {
    provider: 'postgresql',
    host: 'db.example.com',
    port: '5432',
    scope: 'sales',
    identifier: 'reader',
    token: '********',
    active: true,
    expiry: null,
    properties: { ssl: 'require', key: '********' },
    ...more,
  },
});
const nowMs = Date.parse('2026-01-01T00:00:00.000Z');
const opened = (override: JsonObject | null, more: JsonObject = {}) =>
  resolveAccount(account(more), override, 'caller', ({ field }, sealed) => `${field} of ${sealed}`, nowMs).params;
const terms = (overrides: JsonObject) => ({
  filters: splitFilters([]),
  hiddenOf: new Map(),
  parameters: {},
  sensitive: [],
  overrides,
  person: null,
  timeZone: null,
  locale: null,
});

describe('where an account leads', () => {
  it('is what is stored, with its secrets opened', () => {
    expect(opened(null)).toMatchObject({
      host: 'db.example.com',
      scope: 'sales',
      token: 'token of sealed',
      properties: { ssl: 'require', key: 'properties.key of sealed key' },
    });
  });

  it('is what a token says instead, member by member', () => {
    expect(opened({ scope: 'own', identifier: 'own reader' })).toMatchObject({
      host: 'db.example.com',
      scope: 'own',
      identifier: 'own reader',
      token: 'token of sealed',
    });
  });

  it.each<[string, JsonObject]>([
    ['another host', { host: 'other.example.com' }],
    ['another port', { port: '5433' }],
    ['no host', { host: null }],
    ['other TLS', { properties: { sslmode: 'disable' } }],
  ])('never takes the stored password to %s', (_what, override) => {
    expect(opened(override).token).toBeNull();
    expect(opened({ ...override, token: 'own' }).token).toBe('own');
  });

  it('is nowhere for an account that is paused or has expired', () => {
    const code = (more: JsonObject): string => {
      try {
        opened(null, more);
      } catch (error) {
        if (error instanceof Problem) return error.data.code;
      }
      return '';
    };
    expect(code({ active: false })).toBe('account_inactive');
    expect(code({ expiry: '2025-12-31T23:59:59.999Z' })).toBe('account_expired');
    expect(code({ expiry: '2026-01-01T00:00:00.001Z' })).toBe('');
  });

  it('is refused where the token says something that is no connection', () => {
    expect(() => overrideFor(terms({ A: 'nonsense' }), 'a')).toThrow(Problem);
    expect(overrideFor(terms({ A: { scope: 'own' } }), 'a')).toEqual({ scope: 'own' });
    expect(overrideFor(terms({ b: { scope: 'own' } }), 'a')).toBeNull();
  });
});
