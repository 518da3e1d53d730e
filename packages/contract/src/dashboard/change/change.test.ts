import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeOn, draws, isValid, texts } from '../../../../../test/support/arbitrary-change.ts';
import { realContents } from '../../../../../test/support/arbitrary-contents.ts';
import { counted } from '../../../../../test/support/counts.ts';
import { DashboardModel } from '../model/model.ts';
import { apply, invert } from './apply.ts';
import { ChangeError, type ChangeFault } from './fault.ts';
import { setMember, type Change } from './operation.ts';
import { readChange } from './read-change.ts';

const numRuns = counted(200, 20_000);

describe('a change of contents', () => {
  it('is undone to the byte, and then done again', () => {
    let operations = 0;
    fc.assert(
      fc.property(texts, draws, (text, all) => {
        const before = DashboardModel.read(text);
        const { change, model: after } = changeOn(before, all);
        // A change never makes valid contents invalid, an undo neither.
        if (!isValid(before) && isValid(after)) return;
        operations += change.length;
        const sent = readChange(JSON.parse(JSON.stringify(change)));
        expect(apply(before, sent).text).toBe(after.text);
        const undo = readChange(JSON.parse(JSON.stringify(invert(before, sent))));
        expect(apply(after, undo).text).toBe(text);
        expect(apply(before, invert(after, undo)).text).toBe(after.text);
      }),
      { numRuns },
    );
    expect(operations).toBeGreaterThan(numRuns);
  });

  it('leaves valid contents valid', () => {
    fc.assert(
      fc.property(fc.constantFrom(...realContents), draws, (text, all) => {
        const before = DashboardModel.read(text);
        expect(isValid(before)).toBe(true);
        expect(isValid(changeOn(before, all).model)).toBe(true);
      }),
      { numRuns: counted(50, 5_000) },
    );
  });

  const shop = DashboardModel.read(`{
  "version": "0.1.99",
  "views": [
    { "screenModus": "desktop", "items": [
      { "id": "a", "type": "text", "x": 1.0 },
      { "id": "b", "type": "text" }
    ] }
  ]
}`);
  const faultsOf = (change: Change): readonly ChangeFault[] => {
    try {
      apply(shop, change);
      return [];
    } catch (error) {
      return error instanceof ChangeError ? error.faults : [];
    }
  };
  const named = (change: Change): readonly string[] =>
    faultsOf(change).map(({ operation, code, place }) => `${operation ?? '-'} ${code} ${place}`);

  it('names each operation that cannot be applied, with its place, and none is applied', () => {
    const item = 'view:desktop/item:a';
    expect(
      named([
        setMember('view:desktop/item:c', ['title'], 'C'),
        setMember('views[0]', ['title'], 'C'),
        setMember(item, ['options', 'title'], 'A'),
        { kind: 'set', part: item, path: ['title'], text: '"A" , "b": 1' },
        { kind: 'set', part: item, path: [], text: '7' },
        { kind: 'unset', part: item, path: ['title'] },
        { kind: 'insert', parent: 'view:desktop', list: 'items', after: 'c', text: '{}' },
        { kind: 'insert', parent: 'view:desktop', list: 'toString', after: null, text: '{}' },
        { kind: 'remove', part: '' },
        { kind: 'move', part: item, parent: item, list: 'filters', after: null },
        { kind: 'move', part: item, parent: 'view:desktop', list: 'filterGroups', after: null },
      ]),
    ).toEqual([
      '0 part_unknown view:desktop/item:c',
      '1 part_unknown views[0]',
      '2 parent_unknown view:desktop/item:a.options.title',
      '3 text_unreadable view:desktop/item:a.title',
      '4 part_not_object view:desktop/item:a',
      '5 member_unknown view:desktop/item:a.title',
      '6 sibling_unknown view:desktop.items after c',
      '7 list_unknown view:desktop.toString',
      '8 part_unknown ',
      '9 within_itself view:desktop/item:a',
      '10 list_unknown view:desktop.filterGroups',
    ]);
  });

  it('is refused where a text is nested too deep, by itself or in its place', () => {
    const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const set = (path: readonly string[], depth: number): Change[number] => ({
      kind: 'set',
      part: '',
      path,
      text: nested(depth),
    });
    expect(named([set(['note'], 100_000)])).toEqual(['0 text_unreadable note']);
    expect(named([set(['note'], 200), set(['note', ...Array<string>(200).fill('a')], 200)])).toEqual([
      '1 contents_refused ',
    ]);
  });

  it('is refused where the contents would not be valid', () => {
    expect(named([setMember('', ['timezone'], { type: 'fixed', id: 'Mars' })])).toEqual([
      '- contents_refused contents.timezone.id',
    ]);
    const copy = { kind: 'insert', parent: '', list: 'views', after: 'desktop' } as const;
    expect(named([{ ...copy, text: '{"screenModus":"desktop"}' }])).toEqual([
      '- contents_refused contents.views[1].screenModus',
    ]);
  });

  it('puts nothing into the text but the values that it names', () => {
    const spacing = { before: ', "injected": 1,', behind: ', {}' };
    const model = apply(shop, [
      { kind: 'set', part: 'view:desktop', path: ['note'], text: '1', name: '"items": [], "note":', spacing },
      { kind: 'insert', parent: 'view:desktop', list: 'items', after: 'a', text: '{"id":"n"}', spacing },
      { kind: 'remove', part: 'view:desktop/item:b', gap: ', {}' },
    ]);
    expect(model.contents).toEqual({
      version: '0.1.99',
      views: [{ screenModus: 'desktop', items: [{ id: 'a', type: 'text', x: 1 }, { id: 'n' }], note: 1 }],
    });
  });

  it('writes what is new as its neighbours are written', () => {
    expect(
      apply(shop, [
        { kind: 'insert', parent: 'view:desktop', list: 'items', after: 'b', text: '{ "id": "c" }' },
        { kind: 'remove', part: 'view:desktop/item:a' },
        setMember('', ['syncScreenModes'], true),
      ]).text,
    ).toBe(`{
  "version": "0.1.99",
  "views": [
    { "screenModus": "desktop", "items": [
      { "id": "b", "type": "text" },
      { "id": "c" }
    ] }
  ],
  "syncScreenModes": true
}`);
  });

  it('is read only where each operation is one', () => {
    const operation = { kind: 'unset', part: '', path: ['version'] };
    expect(readChange([operation])).toEqual([operation]);
    for (const wrong of [
      null,
      {},
      { ...operation, kind: 'constructor' },
      { ...operation, path: [0] },
      { ...operation, more: 1 },
      { kind: 'unset', part: '' },
      { kind: 'insert', parent: '', list: 'views', after: 1, text: '{}' },
    ])
      expect(() => readChange([operation, wrong])).toThrow(ChangeError);
    expect(() => readChange({})).toThrow(ChangeError);
  });
});
