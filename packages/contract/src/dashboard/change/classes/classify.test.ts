import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeOn, draws, texts } from '../../../../../../test/support/arbitrary-change.ts';
import { realContents } from '../../../../../../test/support/arbitrary-contents.ts';
import { counted } from '../../../../../../test/support/counts.ts';
import { itemQuery } from '../../../item/item-query.ts';
import { readItem } from '../../../item/item.ts';
import { groupsOf } from '../../../item/view-groups.ts';
import { isObject, listOr, objectOr, type Json } from '../../../json.ts';
import { contentsMembers, filterGroupMembers, filterMembers, itemMembers, viewMembers } from '../../members.ts';
import { slotContentMembers } from '../../../item-types/declare/entry.ts';
import { DashboardModel } from '../../model/model.ts';
import { withInner, type PartKind } from '../../model/part.ts';
import { apply } from '../apply.ts';
import { diff } from '../compare/diff.ts';
import { setMember, type Change } from '../operation.ts';
import { ChangeError } from '../fault.ts';
import { changeClasses, classesOfParts, type ChangeClass, type MemberClasses } from './change-class.ts';
import { classify } from './classify.ts';

const harmless: readonly ChangeClass[] = ['look', 'layout', 'text'];

/** Returns what readers may ask for: the query of each item by view and id, and all filters. */
const opened = (contents: Json): Json =>
  listOr(objectOr(contents)['views']).map((view) => ({
    mode: objectOr(view)['screenModus'] ?? null,
    groups: isObject(view) ? groupsOf(view) : [],
    items: listOr(objectOr(view)['items'])
      .flatMap((value) => {
        const item = readItem(value);
        if (item === null) return [];
        const { query, members, series } = itemQuery(item) ?? {};
        return [JSON.stringify([item.id, item.type, query, members, series])];
      })
      .toSorted(),
  }));

/** Returns the paths of declared members, and one of an unknown member. */
const pathsIn = (classes: MemberClasses): readonly (readonly string[])[] => [
  ['unknown'],
  ...Object.entries(classes).flatMap(([name, inner]) =>
    typeof inner === 'object' ? [[name], ...pathsIn(inner).map((path) => [name, ...path])] : [[name]],
  ),
];

/** Returns the classes of a change; none if it does not apply. */
function classesOf(model: DashboardModel, change: Change): readonly ChangeClass[] {
  try {
    return classify(model, change);
  } catch (error) {
    if (error instanceof ChangeError) return [];
    throw error;
  }
}

describe('the classes of a change', () => {
  it('are one for each operation', () => {
    fc.assert(
      fc.property(texts, draws, (text, all) => {
        const before = DashboardModel.read(text);
        const { change } = changeOn(before, all);
        const classes = classify(before, change);
        expect(classes).toHaveLength(change.length);
        for (const one of classes) expect(changeClasses).toContain(one);
      }),
      { numRuns: counted(200, 20_000) },
    );
  });

  it('are those of looks, places and texts only where no query and no filter changes', () => {
    const value = fc.oneof(
      fc.constantFrom<Json>('top', 'none', 'sum', 'max', 'c1', 3, 0, true, false, null, {}, []),
      fc.constantFrom<Json>({ by: 'measure' }, { col: 3, row: 5 }, { en: 'Sales' }, { enabled: true, number: 5 }),
      fc.jsonValue().map((any): Json => JSON.parse(JSON.stringify(any))),
    );
    let count = 0;
    fc.assert(
      fc.property(fc.constantFrom(...realContents), fc.nat(), fc.nat(), value, (text, nth, nthPath, set) => {
        const before = DashboardModel.read(text).withIds();
        const parts = withInner(before.root);
        const part = parts[nth % parts.length] ?? before.root;
        const paths = pathsIn(classesOfParts[part.kind].members);
        const operation = setMember(part.address, paths[nthPath % paths.length] ?? [], set);
        const classes = classesOf(before, [operation]);
        if (classes.length === 0 || !classes.every((one) => harmless.includes(one))) return;
        count += 1;
        const after = apply(before, [operation]);
        expect(opened(after.contents)).toEqual(opened(before.contents));
        for (const one of classify(before, diff(before, after))) expect(harmless).toContain(one);
      }),
      { numRuns: counted(500, 20_000) },
    );
    expect(count).toBeGreaterThan(50);
  });

  it('hold for each member of an item of each type', () => {
    const items = realContents.flatMap((text) =>
      DashboardModel.read(text).views.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'item')),
    );
    const byType = new Map(items.map(({ value }) => [value['type'], value]));
    expect(byType.size).toBeGreaterThan(20);
    for (const item of byType.values()) {
      const before = DashboardModel.read(
        JSON.stringify({ views: [{ screenModus: 'desktop', items: [{ ...item, id: 'i' }] }] }),
      ).withIds();
      const own = before.find('view:desktop/item:i') ?? before.root;
      const entries = withInner(own).filter(({ kind }) => kind === 'entry');
      const [slot] = own.parts.filter(({ parts }) => parts.length > 0);
      const sorts = ['asc', 'desc'].map((order): Json => ({ by: slot?.id ?? '', order }));
      const values: readonly Json[] = [...sorts, 3, true, 'max', { enabled: true }, null];
      for (const part of [own, ...entries])
        for (const path of pathsIn(classesOfParts[part.kind].members))
          for (const value of values) {
            const change = [setMember(part.address, path, value)];
            const classes = classesOf(before, change);
            if (classes.length > 0 && classes.every((one) => harmless.includes(one)))
              expect(opened(apply(before, change).contents), path.join('.')).toEqual(opened(before.contents));
          }
    }
  });

  it('name each declared member, and no other', () => {
    const declared: Readonly<Partial<Record<PartKind, { readonly members: object }>>> = {
      contents: contentsMembers,
      view: viewMembers,
      item: itemMembers,
      entry: slotContentMembers,
      group: filterGroupMembers,
      filter: filterMembers,
    };
    for (const [kind, { members }] of Object.entries(declared))
      expect(Object.keys(Object.entries(classesOfParts).find(([name]) => name === kind)?.[1].members ?? {})).toEqual(
        Object.keys(members),
      );
  });

  const model =
    DashboardModel.read(`{"views":[{"screenModus":"desktop","options":{"theme":{"id":"default"},"columns":48},
    "filterGroups":[{"id":"g","filters":[{"id":"f","expression":"? = ?"}]}],
    "items":[{"id":"a","type":"bar-chart","title":"A","position":{"col":0,"row":0},"options":{"title":"A","limit":3},
    "slots":[{"name":"measure","content":[{"id":"m","columnId":"c"},{"id":"n","formula":"sum({c})"}]},
    {"name":"legend","content":[]}]},{"id":"b","type":"text"}]},{"screenModus":"mobile","items":[]}]}`);
  const item = 'view:desktop/item:a';
  const entry = `${item}/slot:measure/entry:m`;

  it.each<[ChangeClass, string, Change[number]]>([
    ['layout', 'the place of an item', setMember(item, ['position'], { col: 1, row: 0 })],
    ['layout', 'one number of a place', setMember(item, ['position', 'col'], 1)],
    ['layout', 'the order of items', { kind: 'move', part: item, parent: 'view:desktop', list: 'items', after: 'b' }],
    [
      'data',
      'an item in another view',
      { kind: 'move', part: 'view:desktop/item:b', parent: 'view:mobile', list: 'items', after: null },
    ],
    ['look', 'the legend', setMember(item, ['options', 'legend'], 'top')],
    ['look', 'the theme', setMember('view:desktop', ['options', 'theme', 'id'], 'vivid')],
    ['layout', 'the columns of the grid', setMember('view:desktop', ['options', 'columns'], 12)],
    ['text', 'a title', setMember(item, ['title'], 'B')],
    ['text', 'a heading', setMember(entry, ['label'], 'B')],
    ['look', 'a format', setMember(entry, ['format'], ',.0f')],
    ['type', 'the type', setMember(item, ['type'], 'line-chart')],
    ['filter', 'a filter', setMember('view:desktop/group:g/filter:f', ['expression'], '? != ?')],
    ['filter', 'no filter any more', { kind: 'remove', part: 'view:desktop/group:g' }],
    ['filter', 'a filter of an item', { kind: 'insert', parent: item, list: 'filters', after: null, text: '{}' }],
    ['filter', 'a parameter', setMember('', ['parameters'], [])],
    ['data', 'a limit', setMember(item, ['options', 'limit'], 5)],
    ['data', 'a limit among other options', setMember(item, ['options'], { title: 'A', limit: 5 })],
    ['text', 'a title among options that stay', setMember(item, ['options'], { title: 'B', limit: 3 })],
    ['data', 'no limit any more', { kind: 'unset', part: item, path: ['options'] }],
    ['data', 'an option that is not declared', setMember(item, ['options', 'toString'], 1)],
    ['data', 'options that are none', setMember(item, ['options'], 'legend')],
    ['data', 'a member that is not declared', setMember(item, ['concealed'], true)],
    ['layout', 'a hidden item', setMember(item, ['hidden'], true)],
    ['data', 'an aggregation', setMember(entry, ['aggregationFunc'], 'max')],
    ['data', 'a new item', { kind: 'insert', parent: 'view:desktop', list: 'items', after: null, text: '{"id":"x"}' }],
    ['formula', 'a formula', setMember(`${item}/slot:measure/entry:n`, ['formula'], 'max({c})')],
    ['formula', 'a formula that goes', { kind: 'remove', part: `${item}/slot:measure/entry:n` }],
    ['formula', 'an item with a formula', setMember('view:desktop', ['items'], [])],
    ['formula', 'all contents', setMember('', [], {})],
    ['data', 'an id', setMember(item, ['id'], 'z')],
  ])('are %s for %s', (expected, _, operation) => {
    expect(classify(model, [operation])).toEqual([expected]);
  });

  it('do not let the order of items without ids pass, as it says which item is meant', () => {
    const nameless = DashboardModel.read(
      '{"views":[{"screenModus":"desktop","items":[{"type":"text"},{"type":"image"}]}]}',
    );
    const move = { kind: 'move', part: 'view:desktop/item:text', parent: 'view:desktop', list: 'items' } as const;
    expect(classify(nameless, [{ ...move, after: 'image' }])).toEqual(['data']);
    expect(classify(nameless.withIds(), [{ ...move, after: 'image' }])).toEqual(['layout']);
  });
});
