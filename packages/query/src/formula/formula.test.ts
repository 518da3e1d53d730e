import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { duckdb } from '../dialect/duckdb.ts';
import { mysql } from '../dialect/mysql.ts';
import { postgres } from '../dialect/postgres.ts';
import type { Expression, Scope } from '../expression.ts';
import type { StorageType } from '../model.ts';
import { compileFormula } from './compile.ts';
import { faultInWords } from './fault.ts';
import { parseFormula, type Formula } from './parse.ts';
import { measure } from './size.ts';
import { longestFormula } from './tokens.ts';
import { vocabulary } from './vocabulary.ts';

const kinds: Readonly<Record<string, StorageType>> = {
  n: 'integer',
  d: 'decimal',
  x: 'double',
  t: 'text',
  b: 'boolean',
  day: 'date',
  at: 'timestamp',
};
const scope: Scope = (name) => {
  const type = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return type === undefined ? null : { kind: 'column', relation: 'r', name, type };
};
const clock = { nowMs: 0, timeZone: 'Europe/Brussels', weekstart: 1 };
const compiled = (text: string) => compileFormula(text, scope, clock);
const typeOf = (text: string): string => {
  const result = compiled(text);
  return 'fault' in result ? faultInWords(result.fault) : result.expression.type;
};

/** Writes a syntax tree with brackets, to show the precedence of operators. */
const shown = (formula: Formula): string => {
  switch (formula.kind) {
    case 'number':
    case 'boolean':
      return String(formula.value);
    case 'text':
      return JSON.stringify(formula.value);
    case 'column':
      return formula.id;
    case 'call':
      return `(${[formula.name, ...formula.args.map(shown)].join(' ')})`;
    default:
      return formula.kind;
  }
};
const read = (text: string): string => {
  const parsed = parseFormula(text);
  return 'fault' in parsed ? faultInWords(parsed.fault) : shown(parsed.formula);
};

describe('a formula is read as people mean it', () => {
  test.each([
    ['1 + 2 * 3', '(+ 1 (* 2 3))'],
    ['1 - 2 - 3', '(- (- 1 2) 3)'],
    ['-{a} * 2', '(* (negate a) 2)'],
    ['- 2', '-2'],
    ['a_1(2)', '(a_1 2)'],
    ['not {a} = 1 and {b}', '(and (not (= a 1)) b)'],
    ['{a} or {b} and {c}', '(or a (and b c))'],
    ['{a} is not null', '(not (is null a))'],
    ['{a} not in (1, 2)', '(not (in a 1 2))'],
    ['{a} between 1 and 2 and {b}', '(and (and (>= a 1) (<= a 2)) b)'],
    ['case when {a} then 1 else 2 end', '(case a 1 2)'],
    ['case when {a} then 1 end', '(case a 1 null)'],
    ['\'it\'\'s\' <> "a""b"', '(!= "it\'s" "a\\"b")'],
    ['SUM({a} WHERE {b})', '(sum a)'],
    ['sum(abs({a}) where abs({b}) > 1)', '(sum (abs a))'],
    ['count(*)', '(count rows)'],
    ['.5e2', '50'],
    ['1 = 2 = 3', '(= (= 1 2) 3)'],
  ])('%s', (text, tree) => expect(read(text)).toBe(tree));
});

describe('what cannot be read is told with its place', () => {
  test.each([
    ['', 'a value is expected here, not the end (character 1 of the formula)'],
    ['1 +', 'a value is expected here, not the end (character 4 of the formula)'],
    ['(1', '")" is expected here, not the end (character 3 of the formula)'],
    ['1 2', 'the formula could end here, but "2" follows (character 3 of the formula)'],
    ["1 + 'a", 'a text that begins here has no closing quote (character 5 of the formula)'],
    ['{', 'a column is written {id}, with its id between the braces (character 1 of the formula)'],
    ['1; 2', '";" means nothing in a formula (character 2 of the formula)'],
    ['amount', '"amount" is not a function call; a text is quoted, a column is {id} (character 1 of the formula)'],
    ['1e999', 'this number is too large (character 1 of the formula)'],
    ['{a} is 1', '"null" is expected here, not "1" (character 8 of the formula)'],
    ['case 1 end', '"when" is expected here: case when … then … else … end (character 6 of the formula)'],
    ["'a\0'", 'a formula has no NUL character (character 3 of the formula)'],
  ])('%j', (text, message) => expect(read(text)).toBe(message));
});

describe('a formula is checked before it is answered', () => {
  test.each([
    ['{n} + 1', 'double'],
    ['{n} % 2', 'integer'],
    ['sum({n})', 'integer'],
    ['sum({d})', 'decimal'],
    ['avg({d})', 'double'],
    ['max({day})', 'date'],
    ['{day} = {at}', 'boolean'],
    ["{day} > '2024-01-01'", 'boolean'],
    ["if({b}, 'a', null)", 'text'],
    ['coalesce({n}, {x})', 'double'],
    ["dateadd('hour', 1, {day})", 'timestamp'],
    ["dateadd('day', 1, {day})", 'date'],
    ['{t} + 1', 'a number is expected here (character 1 of the formula)'],
    ["{n} = 'a'", 'a number is expected here as before, not a text (character 7 of the formula)'],
    ["{day} = 'soon'", 'a date or time is expected here as before, not a text (character 9 of the formula)'],
    ['{nothing}', 'there is no column "nothing" (character 1 of the formula)'],
    ['nothing(1)', 'there is no function "nothing" (character 1 of the formula)'],
    ['constructor(1)', 'there is no function "constructor" (character 1 of the formula)'],
    ['sum({t})', 'a number is expected here (character 5 of the formula)'],
    ['sum(avg({n}))', 'avg is an aggregate and cannot stand inside sum (character 5 of the formula)'],
    ['sum({n}) + {n}', 'this column stands outside the aggregates; put it into one (character 12 of the formula)'],
    ['sum(*)', 'only count takes a star (character 5 of the formula)'],
    ['abs({n} where {b})', 'abs is no aggregate and takes no where (character 15 of the formula)'],
    ['sum({n} where {n})', 'a condition is expected after where (character 15 of the formula)'],
    ['abs()', 'abs takes 1 value (character 1 of the formula)'],
    ['abs(1, 2)', 'abs takes at most 1 values (character 8 of the formula)'],
    [
      'datetrunc({t}, {at})',
      "a unit in quotes ('year', 'quarter', 'month', 'week', 'day', 'hour', 'minute' or 'second') is expected here (character 11 of the formula)",
    ],
    ['like({t}, {t})', 'a text in quotes is expected here (character 11 of the formula)'],
    ['round({x}, {n})', 'a whole number from -15 to 15 is expected here (character 12 of the formula)'],
    ["date('2024-02-30')", '"2024-02-30" is no date (character 6 of the formula)'],
    ['if({b}, 1, {t})', 'a number is expected here as before, not a text (character 12 of the formula)'],
  ])('%s', (text, type) => expect(typeOf(text)).toBe(type));
});

test('a formula that would become a huge statement is refused', () => {
  expect(typeOf('('.repeat(70) + '1' + ')'.repeat(70))).toContain('nested at most 64 deep');
  expect(typeOf(Array.from({ length: 300 }, () => '1').join('+'))).toContain('at most 200 operators');
  expect(typeOf('power('.repeat(12) + '{x}' + ', 2)'.repeat(12))).toContain('too large');
  expect(typeOf('1'.repeat(longestFormula + 1))).toContain('at most 10000 characters');
  expect(typeOf(Array.from({ length: 150 }, () => '{x}').join('+'))).toBe('double');
});

const pieces = fc.constantFrom(
  ...Object.keys(vocabulary).map((name) => `${name}(`),

  '(',
  ')',
  ',',
  '+',
  '-',
  '*',
  '/',
  '%',
  '=',
  '<>',
  '<',
  '>=',
  ' and ',
  ' or ',
  ' not ',
  ' is null ',
  ' in (',
  '*',

  ' between ',
  ' where ',
  'case when ',
  ' then ',
  ' else ',
  ' end ',
  '{n}',
  '{t}',
  '{b}',
  '{day}',
  '{at}',
  '{x}',
  '{d}',

  "'day'",
  "'2024-01-01'",
  "'a'",
  '"b"',
  '1',
  '2.5',
  'null',
  'true',
  "'",
  '"',
  '{',
  '}',
  ';',
  '--',
  '/*',
  '\\',
  '\0',
  '🦆',
);
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(pieces, { maxLength: 25 }).map((list) => list.join('')),
);

/** Returns every name and bound value of an expression. */
const valuesIn = (of: Expression): readonly unknown[] =>
  of.kind === 'literal'
    ? [of.value]
    : Object.values(of).flatMap((part: unknown) =>
        isExpression(part) ? valuesIn(part) : expressionsIn(part).flatMap(valuesIn),
      );
const isExpression = (part: unknown): part is Expression => typeof part === 'object' && part !== null && 'kind' in part;
const expressionsIn = (part: unknown): readonly Expression[] =>
  Array.isArray(part)
    ? part.flatMap((one: unknown) =>
        isExpression(one)
          ? [one]
          : typeof one === 'object' && one !== null
            ? Object.values(one).filter(isExpression)
            : [],
      )
    : [];

test('reading never throws, and what is read is only known functions over bound values', () => {
  let understood = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const result = compiled(text);
      if ('fault' in result) {
        expect(result.fault.at).toBeGreaterThanOrEqual(0);
        expect(result.fault.at).toBeLessThanOrEqual(Math.max(text.length, longestFormula));
        return;
      }
      understood += 1;
      expect(measure(result.expression)).toBeNull();
      for (const value of valuesIn(result.expression))
        expect(['string', 'number', 'boolean', 'object']).toContain(typeof value);
    }),
    { numRuns: 5000 },
  );
  expect(understood).toBeGreaterThan(20);
});

test.each<[string, boolean]>([
  ["replace({t}, 'a', 'b')", true],
  ["replace(replace(replace({t}, '%name', {t}), '%city', {t}), '%year', {t})", true],
  [`replace({t}, 'a', '${'x'.repeat(200)}')`, true],
  ['replace('.repeat(4) + '{t}' + `, 'x', '${'x'.repeat(100)}')`.repeat(4), false],
  ['length(' + 'replace('.repeat(4) + '{t}' + `, 'x', '${'x'.repeat(100)}')`.repeat(4) + ')', false],
  ['replace('.repeat(20) + '{t}' + ", 'x', 'xx')".repeat(20), false],
  ["replace('x', '', concat({t}, {t}))", true],
  ['replace('.repeat(5) + "'x'" + ", 'x', {t})".repeat(5), false],
  [`replace(${"replace(concat({t}, {t}), 'a', concat({t}, {t}, {t}))"}, 'a', {t})`, false],
])('a formula whose texts would grow beyond a bound is refused: %s', (text, accepted) => {
  const result = compiled(text);
  expect('fault' in result ? result.fault.message : null).toEqual(
    accepted ? null : expect.stringContaining('may make texts that are too long'),
  );
});

test('a text of a formula reaches no statement but as a bound value', () => {
  const canary = 'q7x9';
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (around) => {
      const text = `${around}${canary}`.replaceAll('\0', '');
      const result = compiled(`concat({t}, '${text.replaceAll("'", "''")}')`);
      if ('fault' in result || result.expression.kind !== 'call') throw new Error(JSON.stringify(result));
      for (const dialect of [duckdb, postgres, mysql]) {
        const written = dialect.literal(text, 'text');
        if ('unsupported' in written) continue;
        expect(written.texts.join('')).not.toContain(canary);
        expect(written.params).toEqual([text]);
      }
      expect(valuesIn(result.expression)).toContain(text);
    }),
  );
});
