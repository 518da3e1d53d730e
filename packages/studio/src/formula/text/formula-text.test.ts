import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completionAt } from './completion.ts';
import { ColumnNames, type NamedColumn } from './column-names.ts';
import { FormulaText } from './formula-text.ts';

const column = (id: string, name: string, datasetName = 'Sales'): NamedColumn => ({ id, name, datasetName });
const ids = ['0190c0de-0000-7000-8000-00000000000a', '0190c0de-0000-7000-8000-00000000000b', 'c', 'd'] as const;
const [revenue, orders] = ids;
const names = new ColumnNames([column(revenue, 'Revenue'), column(orders, 'Orders')]);

describe('a formula with names', () => {
  it('shows ids as names and stores names as ids, outside of quotes alone', () => {
    const stored = `sum({${revenue}}) / count({${orders}} where {${orders}} = '{${revenue}}')`;
    const text = FormulaText.ofStored(stored, names);
    expect(text.shown).toBe(`sum({Revenue}) / count({Orders} where {Orders} = '{${revenue}}')`);
    expect(FormulaText.ofShown(text.shown, names).stored).toBe(stored);
    expect(FormulaText.ofShown(`sum({ revenue })`, names).stored).toBe(`sum({${revenue}})`);
    expect(FormulaText.ofShown(`sum({Unknown}) + '{Revenue}`, names).stored).toBe(`sum({Unknown}) + '{Revenue}`);
  });

  it('tells columns of one name apart by their datasets, and asks which one is meant', () => {
    const several = new ColumnNames([
      column('a', 'Name', 'People'),
      column('b', 'name', 'Places'),
      column('c', 'Name', 'Places'),
      column('d', '', ''),
      column('e', 'd', ''),
    ]);
    expect(['a', 'b', 'c', 'd', 'e'].map((id) => several.nameOf(id))).toEqual([
      'Name – People',
      'name – Places',
      'Name – Places (2)',
      'd',
      'd (2)',
    ]);
    expect([several.idOf('Name'), several.isShared('NAME'), several.idOf('Name – People')]).toEqual([null, true, 'a']);
  });

  it('comes back as it was, whatever columns are called and wherever it is cut', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ unit: fc.constantFrom(...`{}'" ab()\n\u202eא٣,`.split('')), maxLength: 12 }),
      fc.constantFrom(...ids),
    );
    const formula = fc.array(
      fc.oneof(
        fc.constantFrom(...ids).map((id) => `{${id}}`),
        fc.string({ unit: fc.constantFrom(...`{}'" ab()+,1`.split('')), maxLength: 6 }),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 4, maxLength: 4 }), formula, (given, parts) => {
        const some = new ColumnNames(ids.map((id, index) => column(id, given[index] ?? '', given.at(-1))));
        const stored = parts.join('');
        const text = FormulaText.ofStored(stored, some);
        expect(text.stored).toBe(stored);
        const again = FormulaText.ofShown(text.shown, some);
        // What stood between braces and is the name of a column now means that column.
        const isNamed = text.segments.some(
          ({ columnId, stored: own }) =>
            columnId === null &&
            [...own.matchAll(/\{([^{}]*)\}/gu)].some(([, inner = '']) => some.idOf(inner) !== null),
        );
        if (!isNamed) expect(again.stored).toBe(stored);
        expect(FormulaText.ofShown(again.shown, some).shown).toBe(text.shown);
        for (let at = 0; at <= stored.length; at += 1) {
          const shownAt = text.toShown(at);
          expect(shownAt).toBeLessThanOrEqual(text.shown.length);
          expect(text.toStored(shownAt)).toBeLessThanOrEqual(at);
          expect(text.toShown(text.toStored(shownAt))).toBe(shownAt);
        }
        expect(text.toShown(stored.length)).toBe(text.shown.length);
        for (const { shown } of text.segments.filter(({ columnId }) => columnId !== null))
          expect(shown).toMatch(/^\{[^{}\n]+\}$/u);
      }),
      { seed: 20261128, numRuns: 500 },
    );
  });
});

describe('suggestions', () => {
  const columns = [
    { name: 'Revenue', datasetName: 'Sales' },
    { name: 'Net revenue', datasetName: 'Sales' },
    { name: 'Order date', datasetName: 'Sales' },
  ];
  const at = (shown: string, isRequested = false): readonly string[] => {
    const caret = shown.indexOf('|');
    const text = FormulaText.ofShown(shown.replace('|', ''), names);
    const completion = completionAt(text, caret, columns, isRequested);
    return completion === null
      ? []
      : [`${completion.start}-${completion.end}`, ...completion.suggestions.slice(0, 3).map(({ text: own }) => own)];
  };

  it.each([
    ['su|', false, ['0-2', 'sum()', 'substring()']],
    ['|', false, []],
    ['|', true, ['0-0', 'sum()', 'avg()', 'average()']],
    ['sum(|', true, ['4-4', '{Revenue}', '{Net revenue}', '{Order date}']],
    ['sum(rev|)', false, ['4-7', '{Revenue}', '{Net revenue}']],
    ['sum({ord|)', false, ['4-8', '{Order date}']],
    ['sum({Revenue}) |', true, ['15-15', '+ ', '- ', '* ']],
    ['sum({Revenue} |)', true, ['14-14', '+ ', '- ', '* ']],
    ['sum({Revenue} wh|)', false, ['14-16', 'where ']],
    ['sum({Revenue}) wh|', false, []],
    ["sum({Revenue} where {Orders} = 'rev|", false, []],
    ["datetrunc('mo|", false, ['10-13', "'month'"]],
    ['datetrunc(|', true, ['10-10', "'year'", "'quarter'", "'month'"]],
    ['12|', false, []],
    ['count() + ca|', false, ['10-12', 'case when  then  else  end', 'concat()']],
  ] as const)('at %s, requested: %s', (shown, isRequested, expected) => {
    expect(at(shown, isRequested)).toEqual(expected);
  });
});
