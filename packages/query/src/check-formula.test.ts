import { describe, expect, it } from 'vitest';
import { checkFormula, textsOfFormula } from './check-formula.ts';
import { faultInSentence, faultInWords } from './formula/fault.ts';
import { formulaPlace, pieceEnd } from './formula/writing.ts';

describe('the texts of a formula', () => {
  it.each([
    ["count(* where {a} = 'x')", [['x', '=', 'a']]],
    ["count(* where 'x' != {a})", [['x', '!=', 'a']]],
    [
      'count(* where {a} not in ("x", \'y\'))',
      [
        ['x', 'in', 'a'],
        ['y', 'in', 'a'],
      ],
    ],
    ["sum({b} where lower({a}) = 'x')", [['x', '=', null]]],
    ["sum({b} where contains({a}, 'x'))", [['x', 'contains', 'a']]],
    [
      "max(case when {a} = 'x' then 'y' else 'z' end)",
      [
        ['x', '=', 'a'],
        ['y', 'case', null],
        ['z', 'case', null],
      ],
    ],
    ["count(* where {t} >= date('2024-01-01') and {t} < dateadd('year', 1, now()))", []],
    ["count(* where {t} >= '2024-01-01')", [['2024-01-01', '>=', 't']]],
    ["'x", []],
    ["'x'", [['x', '', null]]],
  ])('%s are found with what takes them, without units and dates of functions', (formula, texts) => {
    expect(textsOfFormula(formula).map(({ text, of, column }) => [text, of, column])).toEqual(texts);
  });

  it('stand where they say, with their quotes', () => {
    const formula = `count(* where {a} in ('it''s', "say ""so""", ''))`;
    expect(textsOfFormula(formula).map(({ text, start, end }) => [text, formula.slice(start, end)])).toEqual([
      ["it's", "'it''s'"],
      ['say "so"', '"say ""so"""'],
      ['', "''"],
    ]);
  });
});

describe('a formula that is being written', () => {
  const typeOf = (id: string) => ({ n: 'numeric', d: 'datetime', u: 'unknown' } as const)[id];

  it.each([
    ['sum({n}) / count(* where {u})', null],
    ['count({u}) + length(max({u}))', null],
    ['sum({d})', [4, 'a number is expected here']],
    ['sum({n}) + {n}', [11, 'this column stands outside the aggregates; put it into one']],
    ['sum({x})', [4, 'there is no column "x"']],
    ['sum({n}', [7, '")" is expected here, not the end']],
  ])('%s is checked as far as the types of its columns are known', (text, expected) => {
    const fault = checkFormula(text, typeOf);
    expect(fault === null ? null : [fault.at, fault.message]).toEqual(expected);
    if (fault !== null) expect(faultInSentence(faultInWords(fault))).toEqual(fault);
  });

  it('reads no fault from other sentences', () => {
    expect(faultInSentence('the query failed')).toBeNull();
  });

  it.each([
    ['sum(|', 'sum 0', true, false],
    ['round(sum({n}), |', 'round 1', false, false],
    ['round(sum({n} |', 'sum 0', true, true],
    ['if({n} > (1 + 2), |3', 'if 1', false, false],
    ["concat('a(', |", 'concat 1', false, false],
    ["datediff('day|", 'datediff 0', false, false],
    ['{n} |', null, false, true],
    ['', null, false, false],
  ])('%s: the function around the place is found', (text, call, isAggregated, isAfterValue) => {
    const at = text.includes('|') ? text.indexOf('|') : 0;
    const place = formulaPlace(text.replace('|', ''), at);
    expect(place.call === null ? null : `${place.call.of.name} ${place.call.argument}`).toBe(call);
    expect([place.isAggregated, place.isAfterValue]).toEqual([isAggregated, isAfterValue]);
  });

  it('has ends of what is wrong in it', () => {
    expect([pieceEnd('1 + cuont(*)', 4), pieceEnd("'open", 0), pieceEnd('1 + ', 4), pieceEnd('a ? b', 2)]).toEqual([
      9, 5, 4, 3,
    ]);
  });
});
