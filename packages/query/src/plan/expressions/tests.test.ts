import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expressionOf, inWords, operatorNames, operatorRule, type Json, type OperandKind } from '@inlay/contract';
import { counted } from '../../../../../test/support/counts.ts';
import { column, context, filter, model, openWorld, queryOf, type World } from '../../../../../test/support/shop.ts';
import { plan } from '../../plan.ts';

/** A row of the reference model. Times are in UTC with milliseconds, days are texts. */
interface Row {
  readonly id: number;
  readonly status: string | null;
  readonly customer: number | null;
  readonly weight: number | null;
  readonly paid: boolean | null;
  readonly at: string | null;
  readonly day: string | null;
}
type Named = Exclude<keyof Row, 'id'>;

const texts = ['', 'a', 'A', 'ab', 'á', 'b%a', '%', '_', 'a_b', 'ab ', '\\', "o'k", 'z'];
const numbers = [-5, 0, 1, 2, 3, 10];
const doubles = [-1.5, 0, 0.1, 2, 1e9];
const times = [
  '2024-02-29T23:59:59.999Z',
  '2024-03-01T00:00:00.000Z',
  '2024-03-31T01:30:00.000Z',
  '2023-12-31T12:00:00.000Z',
];
const days = ['2024-02-29', '2024-03-01', '2024-03-31', '2023-12-31'];
const values: Readonly<Record<Named, readonly (string | number | boolean)[]>> = {
  status: texts,
  customer: numbers,
  weight: doubles,
  paid: [true, false],
  at: times,
  day: days,
};

const marks: Readonly<Record<string, string>> = { '%': '.*', _: '.' };
const pattern = (like: string): RegExp =>
  new RegExp(`^${like.replaceAll(/[\\^$.*+?()[\]{}|%_]/gu, (one) => marks[one] ?? `\\${one}`)}$`, 'su');
const texting: Readonly<Record<string, (own: string, wanted: string) => boolean>> = {
  like: (own, wanted) => (wanted.includes('%') ? pattern(wanted).test(own) : own.includes(wanted)),
  'starts with': (own, wanted) => own.startsWith(wanted),
  'ends with': (own, wanted) => own.endsWith(wanted),
};
const byCodePoint = (left: string, right: string): number => {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return Buffer.compare(one, other);
};
const order = (left: string | number | boolean, right: string | number | boolean): number =>
  typeof left === 'string' && typeof right === 'string' ? byCodePoint(left, right) : Number(left) - Number(right);

/** Reference implementation of the tests in the guide. */
function passes(own: Row[Named], expression: string, value: Json): boolean {
  if (expression === 'is null') return own === null;
  if (expression === 'is not null') return own !== null;
  const list: readonly Json[] = Array.isArray(value) ? value : [value];
  const negated = expression === '!=' || expression.startsWith('not ');
  const word = expression === '!=' ? '=' : negated ? expression.slice(4) : expression;
  if (own === null) return word === '=' || word === 'in' ? list.includes(null) !== negated : negated;
  const compare = (index: number): number => {
    const other = list[index] ?? null;
    return typeof other === 'object' ? Number.NaN : order(own, other);
  };
  const signs: Readonly<Record<string, () => boolean>> = {
    '=': () => compare(0) === 0,
    in: () => list.some((_, index) => compare(index) === 0),
    '<': () => compare(0) < 0,
    '<=': () => compare(0) <= 0,
    '>': () => compare(0) > 0,
    '>=': () => compare(0) >= 0,
    between: () => compare(0) >= 0 && compare(1) <= 0,
  };
  const found = texting[word]?.(String(own), inWords(list[0])) ?? signs[word]?.() ?? false;
  return found !== negated;
}

const compared = ['=', '!=', '<', '<=', '>', '>='];
const tested = fc.constantFrom<Named>('status', 'customer', 'weight', 'paid', 'at', 'day').chain((name) => {
  const value = fc.constantFrom<Json>(...values[name]);
  const nullable = fc.oneof(value, fc.constant(null));
  const one = (expressions: readonly string[], of: fc.Arbitrary<Json>) =>
    fc.tuple(fc.constantFrom(...expressions), of).map(([expression, given]) => ({ name, expression, value: given }));
  const choices = [
    one(['in', 'not in'], fc.array(nullable, { maxLength: 4 })),
    one(['=', '!='], nullable),
    one(['is null', 'is not null'], fc.constant(0)),
    ...(name === 'paid'
      ? []
      : [
          one(compared, value),
          one(
            ['between'],
            fc.tuple(value, value).map((pair): Json => pair),
          ),
        ]),
    ...(name === 'status'
      ? [one(['like', 'not like', 'starts with', 'not starts with', 'ends with', 'not ends with'], value)]
      : []),
  ];
  return fc.oneof(...choices);
});
type Tested = typeof tested extends fc.Arbitrary<infer One> ? One : never;
type Tree = { readonly and: readonly Tree[] } | { readonly or: readonly Tree[] } | Tested;
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    tested,
    fc.array(tie('tree'), { maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('tree'), { maxLength: 3 }).map((or) => ({ or })),
  ),
}));

const holds = (one: Tree, row: Row): boolean => {
  if ('and' in one) return one.and.every((part) => holds(part, row));
  if ('or' in one) return one.or.some((part) => holds(part, row));
  return passes(row[one.name], one.expression, one.value);
};
const asJson = (one: Tree): Json => {
  if ('and' in one) return { and: one.and.map(asJson) };
  if ('or' in one) return { or: one.or.map(asJson) };
  const nullTest = one.expression.startsWith('is ');
  return filter(
    `orders.${one.name}`,
    nullTest ? `? ${one.expression}` : `? ${one.expression} ?`,
    nullTest ? undefined : one.value,
  );
};

const pick = <One>(list: readonly One[], index: number): One | null => list[index % (list.length + 1)] ?? null;
const rows = Array.from({ length: 120 }, (_, id): Row => ({
  id,
  status: pick(texts, id),
  customer: pick(numbers, id * 5 + 1),
  weight: pick(doubles, id * 7 + 2),
  paid: pick([true, false], id * 3),
  at: pick(times, id * 11 + 3),
  day: pick(days, id * 13 + 1),
}));

let world: World;
beforeAll(async () => {
  world = await openWorld();
  const text = (value: Row[Named] | number): string =>
    value === null ? 'null' : typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
  const made = rows.map((row) => {
    const { id, status, customer, weight, paid, at, day } = row;
    return `(${[id, status, customer, weight, paid].map(text).join(',')}, ${text(at?.replace('Z', '') ?? null)}, ${text(day)})`;
  });
  const columns = 'id bigint, status varchar, customer bigint, weight double, paid boolean, "at" timestamp, "day" date';
  await world.run(`create or replace table orders(${columns})`, []);
  await world.run(`insert into orders values ${made.join(',')}`, []);
});
afterAll(() => world.close());

const idsWhere = async (where: Json, options: Json = {}): Promise<readonly Json[]> => {
  const answer = await world.answer({ dimensions: [column('orders.id')], where, options });
  return answer.flat();
};

describe('filters', () => {
  test('every comparison, nested as may be, lets through the rows that it says', async () => {
    const property = fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 3 }), async (where) => {
      const wanted = rows.filter((row) => where.every((one) => holds(one, row))).map(({ id }) => id);
      expect(await idsWhere(where.map(asJson))).toEqual(wanted);
    });
    await fc.assert(property, { numRuns: counted(300, 5000) });
  });

  test('a level compares the period in which a time lies, and a date without time names its day', async () => {
    const inMarch = rows.filter(({ at }) => at?.startsWith('2024-03') === true).map(({ id }) => id);
    expect(await idsWhere([filter('orders.at', '? = ?', '2024-03-15T12:00:00Z', { level: 3 })])).toEqual(inMarch);
    const lastOfMarch = rows.filter(({ at }) => at?.startsWith('2024-03-31') === true).map(({ id }) => id);
    expect(await idsWhere([filter('orders.at', '? = ?', '2024-03-31')])).toEqual(lastOfMarch);
    const leapDayInBrussels = rows
      .filter(({ at }) => at === '2024-02-29T23:59:59.999Z' || at === '2024-03-01T00:00:00.000Z')
      .map(({ id }) => id);
    expect(await idsWhere([filter('orders.at', '? = ?', '2024-03-01')], { timezone_id: 'Europe/Brussels' })).toEqual(
      leapDayInBrussels,
    );
  });

  test('each operator tests columns of the types that its rule names', () => {
    const columns = { hierarchy: 'orders.status', numeric: 'orders.weight', datetime: 'orders.at' } as const;
    const given: Readonly<Record<keyof typeof columns, Json>> = { hierarchy: 'a', numeric: 1, datetime: '2024-03-01' };
    for (const type of ['hierarchy', 'numeric', 'datetime'] as const)
      for (const operator of operatorNames) {
        const { of, takes } = operatorRule(operator);
        const values: Readonly<Record<OperandKind, Json | undefined>> = {
          value: given[type],
          list: [given[type], null],
          range: [given[type], given[type]],
          text: 'a',
          period: { unit: 'day', quantity: 1 },
          nothing: undefined,
        };
        const where = [filter(columns[type], expressionOf(operator), values[takes])];
        const run = () => plan(queryOf({ dimensions: [column('orders.id')], where }), model, context);
        if (of.includes(type)) expect(run, `${operator} on ${type}`).not.toThrow();
        else expect(run, `${operator} on ${type}`).toThrow(expect.objectContaining({ code: 'expression_invalid' }));
      }
  });

  test('a value of another kind is refused with its place', () => {
    const refused = (one: Json) => () =>
      plan(queryOf({ dimensions: [column('orders.id')], where: [one] }), model, context);
    expect(refused(filter('orders.amount', '? > ?', 'much'))).toThrow(
      expect.objectContaining({ code: 'value_invalid', at: 'where[0].parameters[1]' }),
    );
    expect(refused(filter('orders.at', '? > ?', 'yesterday'))).toThrow(
      expect.objectContaining({ code: 'value_invalid' }),
    );
    expect(refused(filter('orders.at', '? like ?', '2024'))).toThrow(
      expect.objectContaining({ code: 'expression_invalid' }),
    );
    expect(refused(filter('orders.status', '? < ?', null))).toThrow(expect.objectContaining({ code: 'value_invalid' }));
    expect(refused(filter('orders.status', '? last_now ?', { unit: 'day', quantity: 1 }))).toThrow(
      expect.objectContaining({ code: 'expression_invalid' }),
    );
  });
});
