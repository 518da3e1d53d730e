import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkContents } from './dashboard/check/faults.ts';
import { emptyContents, isOlder, newestContents, upgradeContents, versionFirst } from './contents.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

const folder = new URL('../../../test/fixtures/contents/', import.meta.url);
const pasts = readdirSync(folder).map((file): { file: string; sent: JsonObject; read: JsonObject } => ({
  file,
  ...JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
}));

const faultsOf = (contents: Json): readonly string[] => {
  const places: string[] = [];
  checkContents(contents, 'contents', (at) => places.push(at));
  return places;
};

describe('contents of a dashboard', () => {
  it.each(pasts)('of the structure $file are upgraded once and then stay', ({ sent, read }) => {
    expect(upgradeContents(sent)).toEqual(read);
    expect(upgradeContents(read)).toEqual(read);
    expect(isOlder(read)).toBe(false);
    expect(faultsOf(sent)).toEqual([]);
  });

  it('count versions by number, not by letter', () => {
    expect(['0.1.9', '0.1.10', '0.0.999', '0.1.98'].map((version) => isOlder({ version }))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([newestContents, '0.1.100', '0.2.0', '1.0.0'].map((version) => isOlder({ version }))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    for (const version of [null, 7, '', 'next', '0.1', '0.1.x', '00.1.99999']) expect(isOlder({ version })).toBe(false);
    for (const contents of [null, 7, 'x', []]) expect(isOlder(contents)).toBe(false);
  });

  it('begin empty, sound and of the newest structure', () => {
    expect(faultsOf(emptyContents())).toEqual([]);
    expect(emptyContents()['version']).toBe(newestContents);
    expect(Object.keys(versionFirst({ b: 1, version: 'x', a: 2 }))).toEqual(['version', 'b', 'a']);
  });

  it('never make the check or the upgrade fail, whatever they are', () => {
    const version = fc.constantFrom('0.1.0', '0.1.49', '0.1.50', '0.1.98', newestContents, 'x');
    const view = fc.oneof(fc.jsonValue(), fc.record({ items: fc.array(fc.record({ slots: fc.jsonValue() })) }));
    const contents = fc.record({ version, views: fc.oneof(fc.jsonValue(), fc.array(view)), other: fc.jsonValue() });
    fc.assert(
      fc.property(contents, (given) => {
        const json: Json = JSON.parse(JSON.stringify(given));
        if (!isObject(json)) return;
        faultsOf(json);
        const upgraded = upgradeContents(json);
        expect(upgraded['other']).toEqual(json['other']);
        expect(upgradeContents(upgraded)).toEqual(upgraded);
      }),
      { numRuns: 300 },
    );
  });
});
