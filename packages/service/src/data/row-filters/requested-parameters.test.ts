import type { JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { takeParameters } from './requested-parameters.ts';
import { parameterValues } from './row-filters.ts';

const valuesOf = (parameters: JsonObject, token: JsonObject = {}) =>
  Object.fromEntries(takeParameters({ parameters }, parameterValues(token)).of(0).values);

describe('parameters that a query sets', () => {
  it('have one name, with `metadata.` before it', () => {
    expect(valuesOf({ region: 1 })).toEqual({ 'metadata.region': 1 });
    expect(valuesOf({ 'metadata.metadata.region': 1 })).toEqual({ 'metadata.metadata.region': 1 });
    expect(valuesOf({ 'metadata.region': 1, region: 2 })).toEqual({ 'metadata.region': 1 });
    expect(valuesOf({ region: 2, 'metadata.region': null })).toEqual({ 'metadata.region': 2 });
  });

  it('stand behind those of the token, however both are spelled', () => {
    for (const own of ['region', 'metadata.region'])
      for (const asked of ['region', 'metadata.region'])
        expect(valuesOf({ [asked]: 1 }, { [own]: 2 })).toEqual({ 'metadata.region': 2 });
    expect(valuesOf({ 'metadata.metadata.region': 1 }, { region: 2 })).toEqual({
      'metadata.region': 2,
      'metadata.metadata.region': 1,
    });
  });

  it('may have the names of members of every object', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      const parameters: JsonObject = JSON.parse(`{"${name}": {"clear": true}}`);
      const { given } = takeParameters({ parameters }, new Map()).of(0);
      expect(given).toEqual([{ name, value: null, at: `find.parameters.${name}` }]);
      expect(valuesOf(parameters)).toEqual({});
    }
  });
});
