import { emptyContents, itemTypes, listOr, objectOr, slotsOf, textOr, type JsonObject } from '@inlay/contract';
import { apply, DashboardModel } from '@inlay/contract/change';
import { expect, it } from 'vitest';
import { accepts, entryFor } from './changes/slots.ts';
import { itemPart } from './changes/view-items.ts';
import { TypeSwitches } from './type-switches.ts';

const columns: Readonly<Record<string, string>> = {
  text: 'hierarchy',
  time: 'datetime',
  number: 'numeric',
  place: 'spatial',
};
const typeOf = (columnId: string): string | null => columns[columnId] ?? null;

/** An item of a type, with as many entries in each slot as it takes. */
function full(type: (typeof itemTypes)[number]): JsonObject {
  const slots = slotsOf(type).map((rule): JsonObject => {
    const fitting = Object.entries(columns).filter(([id, kind]) =>
      accepts(rule, entryFor(rule, { id, datasetId: 'sales', type: kind }), typeOf),
    );
    const content = fitting
      .slice(0, rule.many ? 3 : 1)
      .map(([id, kind]) => ({ ...entryFor(rule, { id, datasetId: 'sales', type: kind }), id: `${rule.name} ${id}` }));
    return { name: rule.name, content };
  });
  return { id: 'item', type, position: { col: 0, row: 0, sizeX: 12, sizeY: 8 }, options: {}, slots };
}

const modelOf = (item: JsonObject): DashboardModel => {
  const views = listOr(emptyContents()['views']).map((view, index) => ({
    ...objectOr(view),
    items: index === 0 ? [item] : [],
  }));
  return DashboardModel.read(JSON.stringify({ ...emptyContents(), views }));
};

const idsOf = (item: JsonObject): readonly string[] =>
  listOr(item['slots']).flatMap((slot) =>
    listOr(objectOr(slot)['content']).map((entry) => textOr(objectOr(entry)['id'], '')),
  );

it('loses no entry when the type of an item is switched, and restores the item when it is switched back', () => {
  for (const from of itemTypes)
    for (const to of itemTypes.filter((type) => type !== from)) {
      const switches = new TypeSwitches();
      const start = modelOf(full(from));
      const switched = apply(start, switches.change(start, 'desktop', 'item', to, typeOf));
      const item = itemPart(switched, 'desktop', 'item')?.value ?? {};
      const left = switches.left('item', item).map((entry) => textOr(entry['id'], ''));
      expect(item['type']).toBe(to);
      expect([...idsOf(item), ...left].toSorted(), `${from} to ${to}`).toEqual(idsOf(full(from)).toSorted());
      for (const rule of slotsOf(to)) {
        const slot = listOr(item['slots'])
          .map(objectOr)
          .find(({ name }) => name === rule.name);
        const entries = listOr(slot?.['content']).map(objectOr);
        expect(
          entries.every((entry) => accepts(rule, entry, typeOf)),
          `${from} to ${to}: ${rule.name}`,
        ).toBe(true);
        if (!rule.many) expect(entries.length).toBeLessThanOrEqual(1);
      }
      const back = apply(switched, switches.change(switched, 'desktop', 'item', from, typeOf));
      expect(back.contents).toEqual(start.contents);
    }
});

it('restores an item after several switches, and takes what was left over where it fits', () => {
  const switches = new TypeSwitches();
  const start = modelOf(full('combination-chart'));
  let model = start;
  for (const type of ['evolution-number', 'text', 'regular-table'] as const)
    model = apply(model, switches.change(model, 'desktop', 'item', type, typeOf));
  const table = itemPart(model, 'desktop', 'item')?.value ?? {};
  expect(idsOf(table).toSorted()).toEqual(idsOf(full('combination-chart')).toSorted());
  model = apply(model, switches.change(model, 'desktop', 'item', 'combination-chart', typeOf));
  expect(model.contents).toEqual(start.contents);
});
