import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newestContents, parseObject } from '@inlay/contract';
import { fieldsInTexts } from '../../packages/service/src/resource/tables.ts';
import { resources } from '../../packages/service/src/resources/index.ts';
import { compileCondition, orderBy, orderKeys, type Scope } from '../../packages/service/src/search/compile.ts';
import type { Condition, Order } from '../../packages/service/src/search/find.ts';
import { name, sql, text, type Sql } from '../../packages/service/src/store/sql.ts';
import { useApi } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { bothStores } from '../support/service.ts';
import { isStored } from '../../packages/service/src/declare/declaration.ts';

const pieces = [
  'a',
  'A',
  'É',
  'é',
  'e\u0301',
  'ß',
  'ss',
  'İ',
  '%',
  '_',
  '\\',
  '"',
  '\n',
  ' ',
  '売上',
  '😀',
  'سعر',
  'ales',
];
const words = fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((parts) => parts.join(''));
const languages = ['en', 'fr', 'nl-BE'] as const;
const spoken = fc.option(fc.dictionary(fc.constantFrom(...languages), words, { maxKeys: 3 }), { nil: null });
const properties = fc.record({ name: spoken, description: spoken, subtitle: spoken });

const patterns = ['like', 'notLike', 'iLike', 'notILike'] as const;
const single = ['eq', 'ne', ...patterns, 'startsWith', 'endsWith', 'contains', 'gt', 'lte'] as const;
const operation = fc.oneof(
  fc.record({ operator: fc.constantFrom(...single), values: words.map((value) => [value]) }),
  fc.record({
    operator: fc.constantFrom('in', 'notIn'),
    values: fc.array(fc.option(words, { nil: null }), { maxLength: 3 }),
  }),
  fc.record({ operator: fc.constantFrom('between', 'notBetween'), values: fc.tuple(words, words) }),
  fc.record({ operator: fc.constant('isNull'), values: fc.constantFrom([0], [1]) }),
);
const place = fc.record({
  field: fc.constantFrom('name', 'description', 'subtitle'),
  language: fc.constantFrom(null, ...languages),
});
const compared = fc
  .tuple(place, operation)
  .map(([of, { operator, values }]): Condition => ({ kind: 'compare', ...of, operator, values }));
const condition = fc.oneof(
  { weight: 3, arbitrary: compared },
  fc.tuple(fc.constantFrom('and', 'or'), fc.array(compared, { maxLength: 3 })).map(([kind, of]) => ({ kind, of })),
  compared.map((of): Condition => ({ kind: 'not', of })),
);
const order = fc.array(
  fc.tuple(place, fc.boolean()).map(([of, descending]): Order => ({ ...of, descending })),
  { maxLength: 2 },
);

const securable = resources.find((resource) => resource.name === 'securable');

/** Securables with other JSON in the columns that a search could read texts from. */
const readingFrom = (columns: { readonly texts: Sql; readonly record: Sql }): Sql =>
  sql`(select seq, id, name_text, description_text, subtitle_text, ${columns.texts} as texts, ${columns.record} as record
    from securable) t`;
const ofRecords = readingFrom({ texts: text('record'), record: text('record') });
const ofTextsAlone = readingFrom({ texts: text('texts'), record: text(`'no JSON'`) });

describe.each(bothStores)('the texts beside long records on %s', (store) => {
  const api = useApi(store);
  const made: string[] = [];
  const rows = (statement: Sql): ReturnType<typeof api.service.app.service.reader.rows> =>
    api.service.app.service.reader.rows(statement);

  const expectTextsOf = async (table: string, fields: readonly string[]): Promise<number> => {
    const stored = await rows(sql`select texts, record from ${name(table)}`);
    for (const { texts, record } of stored) {
      const whole = parseObject(String(record));
      expect(parseObject(String(texts))).toEqual(Object.fromEntries(fields.map((one) => [one, whole[one] ?? null])));
    }
    return stored.length;
  };

  beforeAll(async () => {
    for (const [index, one] of fc.sample(properties, { numRuns: 90, seed: 1 }).entries()) {
      const contents = { version: newestContents, views: [], step: 1 };
      const { id } = await api.create(index % 3 === 0 ? 'dataset' : 'dashboard', {
        ...one,
        ...(index % 3 === 0 ? {} : { contents }),
      });
      made.push(id);
    }
    for (const [index, one] of fc.sample(properties, { numRuns: 30, seed: 2 }).entries())
      await api.update('securable', made[index * 2], one);
  });

  it('give what whole records give, and need no record to be read', async () => {
    if (securable === undefined) throw new Error('no resource');
    const { dialect } = api.service.app.service.reader;
    const scope: Scope = { dialect, resource: securable, alias: text('t'), caller: null };
    let found = 0;
    await fc.assert(
      fc.asyncProperty(condition, order, async (asked, by) => {
        const from = (source: Sql): Sql =>
          sql`select t.id from ${source} where ${compileCondition(scope, asked)} ${orderBy(orderKeys(scope, by))}`;
        const expected = await rows(from(ofRecords));
        found += expected.length;
        expect(await rows(from(ofTextsAlone))).toEqual(expected);
      }),
      { numRuns: counted(250, 5000), seed: counted(7, Date.now()) },
    );
    expect(found).toBeGreaterThan(1000);
  }, 600_000);

  it('follow each write of a record', async () => {
    const [, dashboard = ''] = made;
    const contents = { version: newestContents, views: [], step: 2 };
    await api.update('securable', dashboard, { contents });
    const [version] = await api.findIds('dashboardversion', { where: { securable_id: dashboard } });
    await api.update('dashboardversion', version, { name: 'Before "the" change' });
    const { id: variant } = await api.create('dashboard', { name: { en: 'Variant' } });
    await api.associate('securable', dashboard, 'Variants', variant);
    const { id: theme } = await api.create('theme', { name: { en: 'Dark' } });
    await api.update('theme', theme, { name: { en: 'Darker' } });
    const { id: account } = await api.create('account', { name: 'Source', description: { en: 'Of sales' } });
    await api.update('account', account, { description: null });
    const tables = resources.filter((one) => fieldsInTexts(one).length > 0);
    const counts = new Map<string, number>();
    for (const one of tables) counts.set(one.name, await expectTextsOf(one.name, fieldsInTexts(one)));
    for (const table of ['securable', 'dashboardversion', 'theme', 'account'])
      expect([table, counts.get(table)]).not.toEqual([table, 0]);
  });

  it('stand in the tables of the resources that are read so, and in no other', async () => {
    const found: string[] = [];
    for (const one of resources.filter(isStored)) {
      const isThere = await rows(sql`select texts from ${name(one.name)} limit 1`).then(
        () => true,
        () => false,
      );
      if (isThere) found.push(one.name);
    }
    expect(found.toSorted()).toEqual(
      resources.flatMap((one) => (fieldsInTexts(one).length > 0 ? [one.name] : [])).toSorted(),
    );
  });
});
