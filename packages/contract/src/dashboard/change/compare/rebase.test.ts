import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeOn, draws, isValid, meaningOf, texts } from '../../../../../../test/support/arbitrary-change.ts';
import { realContents } from '../../../../../../test/support/arbitrary-contents.ts';
import { counted } from '../../../../../../test/support/counts.ts';
import { DashboardModel } from '../../model/model.ts';
import { withInner, type Part } from '../../model/part.ts';
import { apply } from '../apply.ts';
import { setMember, type Change } from '../operation.ts';
import { diff } from './diff.ts';
import { rebase } from './rebase.ts';

const numRuns = counted(150, 20_000);

describe('two changes of one base', () => {
  it('are both kept where they do not touch, whichever comes first', () => {
    let [independent, touching] = [0, 0];
    fc.assert(
      fc.property(texts, draws, draws, (text, ours, theirs) => {
        const base = DashboardModel.read(text);
        const [our, their] = [changeOn(base, ours), changeOn(base, theirs)];
        // Where one side makes the contents valid, the other may not make them invalid again.
        if (!isValid(base) && (isValid(our.model) || isValid(their.model))) return;
        const [left, right] = [rebase(base, our.change, their.change), rebase(base, their.change, our.change)];
        const [ourLast, theirLast] = [apply(their.model, left.change), apply(our.model, right.change)];
        expect(left.conflicts.length === 0).toBe(right.conflicts.length === 0);
        if (left.conflicts.length > 0) touching += 1;
        else {
          independent += 1;
          expect(meaningOf(ourLast)).toBe(meaningOf(theirLast));
        }
      }),
      { numRuns },
    );
    expect(Math.min(independent, touching)).toBeGreaterThan(numRuns / 20);
  });

  it('leave our change as it is where theirs is empty, and nothing of it where theirs is the same', () => {
    fc.assert(
      fc.property(texts, draws, (text, ours) => {
        const base = DashboardModel.read(text);
        const { change, model } = changeOn(base, ours);
        expect(rebase(base, change, [])).toEqual({ change: diff(base, model), conflicts: [] });
        expect(rebase(base, change, change)).toEqual({ change: [], conflicts: [] });
      }),
      { numRuns: counted(60, 5_000) },
    );
  });

  /** Edits of one part each. The order of the parts of a list does not matter to them. */
  const edits: readonly ((part: Part, value: string) => Change)[] = [
    (part, value) => [setMember(part.address, ['note'], value)],
    (part, value) => [setMember(part.address, [], { ...part.value, note: value })],
    (part) => [{ kind: 'remove', part: part.address }],
  ];

  it('are reported with both values where they touch', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...realContents),
        fc.nat(),
        fc.constantFrom(...edits),
        fc.constantFrom(...edits),
        (text, nth, ourEdit, theirEdit) => {
          const base = DashboardModel.read(text).withIds();
          const parts = withInner(base.root).filter(({ kind }) => kind !== 'contents');
          const part = parts[nth % parts.length] ?? base.root;
          const inner = withInner(part)[nth % withInner(part).length] ?? part;
          if (ourEdit === edits[2] && theirEdit === edits[2] && part === inner) return;
          // Two members of one name touch; that of an inner part and one of the outer part do not.
          if (part !== inner && ourEdit !== edits[2]) return;
          const [ours, theirs] = [ourEdit(part, 'ours'), theirEdit(inner, 'theirs')];
          const { change, conflicts } = rebase(base, ours, theirs);
          expect(change).toEqual([]);
          expect(conflicts.map((conflict) => conflict.ours)).toEqual(diff(base, apply(base, ours)));
          expect(conflicts.flatMap((conflict) => conflict.theirs)).toEqual(
            expect.arrayContaining([...diff(base, apply(base, theirs))]),
          );
        },
      ),
      { numRuns: counted(60, 5_000) },
    );
  });

  const base = DashboardModel.read(`{"views":[{"screenModus":"desktop","items":[
    {"id":"a","type":"bar-chart","title":{"en":"A","fr":"A"},"position":{"col":0,"row":0},
     "slots":[{"name":"measure","content":[{"id":"m"},{"id":"n"}]},{"name":"legend","content":[]}]},
    {"id":"b","type":"text"},{"id":"c","type":"text"}]},{"screenModus":"mobile","items":[]}]}`);
  const a = 'view:desktop/item:a';
  const toMobile: Change = [{ kind: 'move', part: a, parent: 'view:mobile', list: 'items', after: null }];

  it.each<[string, Change, Change, Change]>([
    [
      'the move of an item and its new title',
      [setMember(a, ['title', 'en'], 'B')],
      toMobile,
      [setMember('view:mobile/item:a', ['title', 'en'], 'B')],
    ],
    [
      'the move of a column within an item that went to another view',
      [{ kind: 'move', part: `${a}/slot:measure/entry:m`, parent: `${a}/slot:legend`, list: 'content', after: null }],
      toMobile,
      [
        {
          kind: 'move',
          part: 'view:mobile/item:a/slot:measure/entry:m',
          parent: 'view:mobile/item:a/slot:legend',
          list: 'content',
          after: null,
        },
      ],
    ],
    [
      'a level and the new place of the same column, in an item that went to another view',
      [setMember(`${a}/slot:measure/entry:n`, ['level'], 1)],
      [
        { kind: 'move', part: `${a}/slot:measure/entry:n`, parent: `${a}/slot:measure`, list: 'content', after: null },
        ...toMobile,
      ],
      [setMember('view:mobile/item:a/slot:measure/entry:n', ['level'], 1)],
    ],
    [
      'titles in two languages',
      [setMember(a, ['title', 'en'], 'B')],
      [setMember(a, ['title', 'fr'], 'C')],
      [setMember(a, ['title', 'en'], 'B')],
    ],
    [
      'a new item behind one that was removed',
      [{ kind: 'insert', parent: 'view:desktop', list: 'items', after: 'b', text: '{"id":"d"}' }],
      [{ kind: 'remove', part: 'view:desktop/item:b' }],
      [{ kind: 'insert', parent: 'view:desktop', list: 'items', after: 'a', text: '{"id":"d"}' }],
    ],
    [
      'the first filters of one item',
      [{ kind: 'insert', parent: a, list: 'filters', after: null, text: '{"id":"f"}' }],
      [{ kind: 'insert', parent: a, list: 'filters', after: null, text: '{"id":"e"}' }],
      [{ kind: 'insert', parent: a, list: 'filters', after: 'e', text: '{"id":"f"}' }],
    ],
  ])('keep %s', (_, ours, theirs, expected) => {
    expect(rebase(base, ours, theirs)).toEqual({ change: expected, conflicts: [] });
  });

  it('give one order where both added the same part, and each another one behind it', () => {
    const add = (id: string, after: string | null): Change => [
      { kind: 'insert', parent: 'view:desktop', list: 'items', after, text: `{"id":"${id}"}` },
    ];
    const [ours, theirs] = [
      [...add('x', 'a'), ...add('v', 'x')],
      [...add('x', 'a'), ...add('w', 'x')],
    ];
    const [left, right] = [rebase(base, ours, theirs), rebase(base, theirs, ours)];
    const merged = apply(apply(base, theirs), left.change);
    expect(merged.views[0]?.parts.map(({ id }) => id)).toEqual(['a', 'x', 'v', 'w', 'b', 'c']);
    expect(meaningOf(apply(apply(base, ours), right.change))).toBe(meaningOf(merged));
    expect([...left.conflicts, ...right.conflicts]).toEqual([]);
  });

  it.each<[string, Change, Change]>([
    [
      'two places of one item',
      [setMember(a, ['position'], { col: 1, row: 0 })],
      [setMember(a, ['position'], { col: 0, row: 1 })],
    ],
    [
      'a column of an item that was removed',
      [setMember(`${a}/slot:measure/entry:m`, ['level'], 1)],
      [{ kind: 'remove', part: a }],
    ],
    [
      'two orders of one part',
      [{ kind: 'move', part: 'view:desktop/item:c', parent: 'view:desktop', list: 'items', after: null }],
      [{ kind: 'move', part: 'view:desktop/item:c', parent: 'view:mobile', list: 'items', after: null }],
    ],
    [
      'two new parts of one id',
      [{ kind: 'insert', parent: 'view:mobile', list: 'items', after: null, text: '{"id":"d"}' }],
      [{ kind: 'insert', parent: 'view:mobile', list: 'items', after: null, text: '{"id":"d","type":"text"}' }],
    ],
    [
      'a new part in a list that was set as a whole',
      [{ kind: 'insert', parent: a, list: 'filters', after: null, text: '{"id":"f"}' }],
      [setMember(a, ['filters'], [1])],
    ],
  ])('report %s', (_, ours, theirs) => {
    const { change, conflicts } = rebase(base, [...ours, setMember('', ['version'], '0.1.99')], theirs);
    expect(change).toEqual([setMember('', ['version'], '0.1.99')]);
    expect(conflicts).toEqual([{ ours: diff(base, apply(base, ours))[0], theirs: diff(base, apply(base, theirs)) }]);
  });
});
