import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@inlay/contract';
import { useApi, type Made } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { bothStores } from '../support/service.ts';
import { ordered, satisfies } from '../support/where-model.ts';

const words = [
  '',
  'a',
  'A',
  'b',
  'ab',
  'aB',
  'Ab%',
  'a_b',
  'Élan',
  'élan',
  'elan',
  'x\\y',
  'Straße',
  '売上',
  '😀',
  'sales of the year',
  'Sales',
  '10',
  '9',
];
const times = [
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2026-06-30T12:00:00.000Z',
];
const numbers = [0, 0.5, 1, 2, 9, 10, 100];

const text = fc.constantFrom(...words);
const orNull = <Value extends Json>(value: fc.Arbitrary<Value>): fc.Arbitrary<Json> => fc.option(value, { nil: null });
const description = fc.dictionary(fc.constantFrom('en', 'fr', 'nl-BE'), text, { maxKeys: 3 });
const record = fc.record({
  name: orNull(text),
  provider: orNull(text),
  description: orNull(description),
  expiry: orNull(fc.constantFrom(...times)),
  cache: fc.constantFrom(...numbers),
  active: fc.boolean(),
  invalid: fc.boolean(),
});

const kinds = {
  name: { value: text, text: true },
  provider: { value: text, text: true },
  description: { value: text, text: true },
  'description.en': { value: text, text: true },
  'description.nl-BE': { value: text, text: true },
  expiry: { value: fc.constantFrom(...times), text: false },
  cache: { value: fc.constantFrom(...numbers), text: false },
  active: { value: fc.boolean(), text: false },
  invalid: { value: fc.boolean(), text: false },
} as const;

const pattern = fc
  .array(fc.constantFrom('%', '_', 'a', 'B', 'É', 'é', '\\%', '\\\\', 'sales', '😀'), { maxLength: 4 })
  .map((parts) => parts.join(''));

/** Returns one comparison of a field, with the operators its kind has. */
function comparison(name: keyof typeof kinds): fc.Arbitrary<JsonObject> {
  const { value, text: isText } = kinds[name];
  const given: fc.Arbitrary<Json> = value;
  const list = fc.array(orNull(given), { maxLength: 4 });
  const one = (operators: readonly string[], operand: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
    fc
      .tuple(fc.constantFrom(...operators), fc.constantFrom('', '$'), operand)
      .map(([operator, sign, held]) => ({ [`${sign}${operator}`]: held }));
  const operations = [
    one(['eq', 'ne'], orNull(given)),
    one(['in', 'notIn'], list),
    one(['gt', 'gte', 'lt', 'lte'], given),
    one(['between', 'notBetween'], fc.tuple(given, given)),
    one(['isNull'], fc.boolean()),
    ...(isText
      ? [one(['like', 'notLike', 'iLike', 'notILike'], pattern), one(['startsWith', 'endsWith', 'contains'], text)]
      : []),
  ];
  const operated = fc.oneof(...operations);
  const both = fc.tuple(operated, operated).map(([left, right]) => ({ ...left, ...right }));
  return fc.oneof(orNull(given), list, operated, both).map((operand): JsonObject => ({ [name]: operand }));
}

const leaf = fc
  .constantFrom(...Object.keys(kinds))
  .chain((name) =>
    comparison(
      name in kinds ? (Object.keys(kinds).find((one): one is keyof typeof kinds => one === name) ?? 'name') : 'name',
    ),
  );
const { where } = fc.letrec<{ where: JsonObject }>((tie) => ({
  where: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.tuple(leaf, leaf).map(([left, right]) => ({ ...left, ...right })),
    fc
      .tuple(
        fc.constantFrom('and', 'or', 'not', '$and', '$or', '$not'),
        fc.array(tie('where'), { minLength: 1, maxLength: 3 }),
      )
      .map(([group, of]) => ({ [group]: of })),
    fc.tuple(fc.constantFrom('and', 'or', 'not'), tie('where')).map(([group, of]) => ({ [group]: of })),
  ),
}));
const direction = fc.constantFrom('asc', 'desc');
const order = fc.array(
  fc.tuple(fc.constantFrom('name', 'provider', 'description.en', 'expiry', 'cache', 'active'), direction),
  {
    maxLength: 3,
  },
);

describe.each(bothStores)('searches and a plain model of them on %s', (store) => {
  const api = useApi(store);
  const records: Made[] = [];

  beforeAll(async () => {
    for (const properties of fc.sample(record, { numRuns: 70, seed: 1 })) {
      records.push(await api.create('account', properties));
    }
    records.push(await api.create('account', { description: {}, name: null }));
  });

  it('find the same records in the same order', async () => {
    const all = await api.findIds('account', {});
    expect(all).toHaveLength(records.length);
    await fc.assert(
      fc.asyncProperty(where, order, async (asked, by) => {
        const expected = ordered(
          records.filter((one) => satisfies(one, asked)),
          by,
        );
        expect(await api.findIds('account', { where: asked, order: by })).toEqual(expected);
      }),
      { numRuns: counted(75, 5000), seed: counted(7, Date.now()) },
    );
  }, 600_000);

  it('count the same records on every page', async () => {
    const page = fc.record({ limit: fc.nat(20), offset: fc.nat(80) });
    await fc.assert(
      fc.asyncProperty(where, order, page, async (asked, by, { limit, offset }) => {
        const expected = ordered(
          records.filter((one) => satisfies(one, asked)),
          by,
        );
        const { count, rows } = await api.ok('account', {
          find: { where: asked, order: by, limit, offset, attributes: ['id'] },
        });
        expect([count, rows]).toEqual([expected.length, expected.slice(offset, offset + limit).map((id) => ({ id }))]);
      }),
      { numRuns: counted(40, 1000), seed: counted(8, Date.now()) },
    );
  });

  it('exclude a record exactly where its opposite includes it', async () => {
    await fc.assert(
      fc.asyncProperty(where, async (asked) => {
        const yes = await api.findIds('account', { where: asked });
        const no = await api.findIds('account', { where: { not: asked } });
        expect([...yes, ...no].toSorted()).toEqual(records.map(({ id }) => id).toSorted());
      }),
      { numRuns: counted(40, 1000), seed: counted(9, Date.now()) },
    );
  });

  it('find key phrases as a plain model does', async () => {
    const strip = (words_: string): string => words_.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
    const texts = ({ name, description: told }: JsonObject, types: readonly string[]): readonly string[] => [
      ...(types.includes('name') && typeof name === 'string' ? [strip(name)] : []),
      ...(types.includes('description') ? Object.values(Object(told)).map((one) => strip(String(one))) : []),
    ];
    const fragment = fc.constantFrom(
      'a',
      'B',
      'ab',
      'ÉLAN',
      'elan',
      'ela',
      'ale',
      'year',
      'sal',
      '売',
      '売上',
      '😀',
      '%',
      '_',
      '"',
      "'",
      'straße',
      'x\\y',
      '10',
      '*',
      'a OR b',
      'the',
      'OF',
    );
    const phrases = fc.array(fragment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '));
    const kindsOf = fc.constantFrom(['name'], ['description'], ['name', 'description']);
    await fc.assert(
      fc.asyncProperty(phrases, kindsOf, async (keyphrase, types) => {
        const wanted = strip(keyphrase)
          .split(/\s+/u)
          .filter((one) => one !== '');
        const matching = records.filter((one) =>
          wanted.every((word) => texts(one, types).some((held) => held.includes(word))),
        );
        const found = await api.findIds('account', { search: { keyphrase, match_types: types } });
        expect(found).toEqual(ordered(matching, []));
      }),
      { numRuns: counted(80, 3000), seed: counted(10, Date.now()) },
    );
  });
});
