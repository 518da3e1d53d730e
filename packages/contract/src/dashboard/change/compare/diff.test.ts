import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeOn, draws, isValid, meaningOf, texts } from '../../../../../../test/support/arbitrary-change.ts';
import { realContents } from '../../../../../../test/support/arbitrary-contents.ts';
import { counted } from '../../../../../../test/support/counts.ts';
import { DashboardModel } from '../../model/model.ts';
import { apply } from '../apply.ts';
import { setMember, type Change } from '../operation.ts';
import { diff } from './diff.ts';

const numRuns = counted(120, 20_000);

describe('the difference of two contents', () => {
  it('leads from one to the other, in which digits are kept', () => {
    fc.assert(
      fc.property(texts, texts, draws, (one, other, all) => {
        const before = DashboardModel.read(one);
        for (const after of [DashboardModel.read(other), changeOn(before, all).model, before.withIds()]) {
          if (isValid(before) && !isValid(after)) continue;
          expect(meaningOf(apply(before, diff(before, after)))).toBe(meaningOf(after));
        }
      }),
      { numRuns },
    );
  });

  it('is none where only white space and the order of members differ', () => {
    for (const text of realContents) {
      const spaced = JSON.stringify(JSON.parse(text), null, 3);
      expect(diff(DashboardModel.read(text), DashboardModel.read(spaced))).toEqual([]);
    }
    expect(diff(DashboardModel.read('{"a":1,"b":"\\u0061"}'), DashboardModel.read('{"b":"a","a":1}'))).toEqual([]);
    expect(diff(DashboardModel.read('{"a":1}'), DashboardModel.read('{"a":1.0}'))).toHaveLength(1);
  });

  const item = (id: string, more = ''): string => `{"id":"${id}","type":"text"${more}}`;
  const view = (modus: string, items: readonly string[], more = ''): string =>
    `{"screenModus":"${modus}","items":[${items.join(',')}]${more}}`;
  const dashboard = (...views: readonly string[]): DashboardModel =>
    DashboardModel.read(`{"version":"0.1.99","views":[${views.join(',')}]}`);
  const place = (col: number, row: number): string => `,"position":{"col":${col},"row":${row}}`;

  it.each<[string, DashboardModel, DashboardModel, Change]>([
    [
      'a moved item',
      dashboard(view('desktop', [item('a', place(0, 0)), item('b')])),
      dashboard(view('desktop', [item('a', place(4, 8)), item('b')])),
      [{ kind: 'set', part: 'view:desktop/item:a', path: ['position'], text: '{"col":4,"row":8}' }],
    ],
    [
      'a title in one language',
      dashboard(view('desktop', [item('a', ',"title":{"en":"Sales","fr":"Ventes"}')])),
      dashboard(view('desktop', [item('a', ',"title":{"en":"Revenue","fr":"Ventes"}')])),
      [setMember('view:desktop/item:a', ['title', 'en'], 'Revenue')],
    ],
    [
      'a new order',
      dashboard(
        view(
          'desktop',
          ['a', 'b', 'c', 'd'].map((id) => item(id)),
        ),
      ),
      dashboard(
        view(
          'desktop',
          ['d', 'a', 'b', 'c'].map((id) => item(id)),
        ),
      ),
      [{ kind: 'move', part: 'view:desktop/item:d', parent: 'view:desktop', list: 'items', after: null }],
    ],
    [
      'an item that goes to another view and changes there',
      dashboard(view('desktop', [item('a'), item('b')]), view('mobile', [])),
      dashboard(view('desktop', [item('b')]), view('mobile', [item('a', ',"title":"A"')])),
      [
        setMember('view:desktop/item:a', ['title'], 'A'),
        { kind: 'move', part: 'view:desktop/item:a', parent: 'view:mobile', list: 'items', after: null },
      ],
    ],
    [
      'the first filter of an item',
      dashboard(view('desktop', [item('a')])),
      dashboard(view('desktop', [item('a', ',"filters":[{"id":"f"}]')])),
      [{ kind: 'insert', parent: 'view:desktop/item:a', list: 'filters', after: null, text: '{"id":"f"}' }],
    ],
    [
      'ids that are written, and then a change of what they derive from',
      dashboard(view('desktop', ['{"type":"text","position":{"col":0,"row":8}}'])),
      dashboard(view('desktop', ['{"type":"image","position":{"col":0,"row":8},"id":"text-0-8"}'])),
      [
        setMember('view:desktop/item:text-0-8', ['id'], 'text-0-8'),
        setMember('view:desktop/item:text-0-8', ['type'], 'image'),
      ],
    ],
    [
      'a part without an id that becomes another one, as its id derives from what changed',
      dashboard(view('desktop', ['{"type":"text"}'])),
      dashboard(view('desktop', ['{"type":"image"}'])),
      [
        { kind: 'remove', part: 'view:desktop/item:text' },
        { kind: 'insert', parent: 'view:desktop', list: 'items', after: null, text: '{"type":"image"}' },
      ],
    ],
    [
      'a part that has its id from other members than before, as a whole',
      dashboard(view('desktop', ['{"id":"text-1","type":"image","position":{"col":2}}'])),
      dashboard(view('desktop', ['{"type":"text","position":{"col":1}}'])),
      [setMember('view:desktop/item:text-1', [], { type: 'text', position: { col: 1 } })],
    ],
    [
      'two members from which an id derives, as a whole',
      dashboard(view('desktop', ['{"type":"text-1","position":{"col":2}}'])),
      dashboard(view('desktop', ['{"type":"text","position":{"col":1,"row":2}}'])),
      [setMember('view:desktop/item:text-1-2', [], { type: 'text', position: { col: 1, row: 2 } })],
    ],
    [
      'a list in which two parts have one id, as a whole',
      dashboard(view('desktop', [item('a'), item('a')])),
      dashboard(view('desktop', [item('a')])),
      [{ kind: 'set', part: 'view:desktop', path: ['items'], text: `[${item('a')}]` }],
    ],
  ])('says %s in the operations that a person would name', (_, before, after, expected) => {
    expect(diff(before, after)).toEqual(expected);
    expect(meaningOf(apply(before, expected))).toBe(meaningOf(after));
  });
});
