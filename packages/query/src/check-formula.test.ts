import { describe, expect, it } from 'vitest';
import { textsOfFormula } from './check-formula.ts';

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
