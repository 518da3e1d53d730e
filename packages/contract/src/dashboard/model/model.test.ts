import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { contents } from '../../../../../test/support/arbitrary-contents.ts';
import { isObject, type Json, type JsonObject } from '../../json.ts';
import { readMembers } from '../../members/read.ts';
import { itemMembers } from '../members.ts';
import { DashboardModel } from './model.ts';
import { pathText, withInner, type Part } from './part.ts';

const partsOf = (model: DashboardModel): readonly Part[] => model.views.flatMap(withInner);
/** Returns a value without members named `id` at any level. */
function withoutIds(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (key === 'id' ? [] : [[key, withoutIds(one)]])),
  );
}

describe('the model of a dashboard', () => {
  it('gives back each text as it was', () => {
    fc.assert(
      fc.property(contents, (text) => {
        const model = DashboardModel.read(text);
        expect(model.text).toBe(text);
        expect(model.contents).toEqual(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });

  it('changes one value, and nothing around it', () => {
    fc.assert(
      fc.property(contents, fc.nat(), fc.jsonValue(), (text, nth, value) => {
        const model = DashboardModel.read(text);
        const parts = partsOf(model);
        const part = parts[nth % Math.max(1, parts.length)];
        if (part === undefined) return;
        const written = `"note":${JSON.stringify(value)}`;
        const changed = model.with(part, ['note'], JSON.parse(JSON.stringify(value)));
        const own = changed.find(pathText(part.path));
        expect(own?.address).toBe(part.address);
        expect(own?.value['note']).toEqual(JSON.parse(JSON.stringify(value)));
        const cuts = [...changed.text.matchAll(/,?"note":/gu)].map(({ index, 0: { length } }) =>
          changed.text.slice(0, index).concat(changed.text.slice(index + length - '"note":'.length + written.length)),
        );
        expect(cuts).toContain(text);
      }),
      { numRuns: 300 },
    );
  });

  it('gives each part one address, by ids where there are some', () => {
    fc.assert(
      fc.property(contents, (text) => {
        const model = DashboardModel.read(text);
        const addresses = partsOf(model).map(({ address }) => address);
        expect(new Set(addresses).size).toBe(addresses.length);
        for (const part of partsOf(model)) expect(model.find(part.address)).toBe(part);
      }),
      { numRuns: 300 },
    );
  });

  it('writes derived ids without a change of addresses, once', () => {
    fc.assert(
      fc.property(contents, (text) => {
        const model = DashboardModel.read(text);
        const written = model.withIds();
        expect(partsOf(written).map(({ address }) => address)).toEqual(partsOf(model).map(({ address }) => address));
        expect(withoutIds(written.contents)).toEqual(withoutIds(model.contents));
        expect(written.withIds().text).toBe(written.text);
      }),
      { numRuns: 300 },
    );
  });

  const shop = `{"version":"0.1.99","views":[{"screenModus":"desktop","items":[
    {"type":"bar-chart","position":{"col":0,"row":8},"slots":[{"name":"measure","content":[{"columnId":"c1","datasetId":"d"}]}],"x":1.0},
    {"id":"when","type":"date-filter"}],
    "filterGroups":[{"filters":[{"expression":"? = ?","parameters":[{"dataset_id":"d","column_id":"c2"},1]}]}]}]}`;

  it('derives ids from what parts are, so that their order does not matter', () => {
    expect(partsOf(DashboardModel.read(shop)).map(({ address }) => address)).toEqual([
      'view:desktop',
      'view:desktop/item:bar-chart-0-8',
      'view:desktop/item:bar-chart-0-8/slot:measure',
      'view:desktop/item:bar-chart-0-8/slot:measure/entry:c1',
      'view:desktop/item:when',
      'view:desktop/group:global',
      'view:desktop/group:global/filter:c2',
    ]);
  });

  it('finds parts by their place too', () => {
    const model = DashboardModel.read(shop);
    expect(model.find('views[0].items[1]')?.address).toBe('view:desktop/item:when');
    expect(model.find('views[0].filterGroups[0].filters[0]')?.id).toBe('c2');
    expect(model.find('views[0].items[9]')).toBeNull();
  });

  it('writes an id where it is missing and leaves all else as written', () => {
    const model = DashboardModel.read('{"views":[{"screenModus":"desktop","items":[{ "type" : "text","x":1.0 }]}]}');
    expect(model.withIds().text).toBe(
      '{"views":[{"screenModus":"desktop","items":[{ "type" : "text","x":1.0,"id":"text" }]}]}',
    );
  });

  it('has typed members where they have their declared kind', () => {
    const value: JsonObject = { type: 'bar-chart', position: { col: 4, row: 'x' }, title: 7, more: true };
    const read = readMembers(itemMembers, value);
    expect(read).toEqual({ type: 'bar-chart', position: { col: 4 } });
    expectTypeOf(read.position?.col).toEqualTypeOf<number | undefined>();
  });
});
