import { expect, it, test } from 'vitest';
import { readItem } from '../../item/item.ts';
import type { Json, JsonObject } from '../../json.ts';
import { filterNote, type NoteLanguage } from './filter-note.ts';

const language: NoteLanguage = {
  locale: 'en',
  words: {
    not: 'not {}',
    or: 'or',
    and: 'and',
    empty: '(empty)',
    rows: 'Number of rows',
    contains: 'contains “{}”',
    startsWith: 'starts with “{}”',
    endsWith: 'ends with “{}”',
    since: 'from {}',
    after: 'after {}',
    before: 'before {}',
    until: 'until {}',
    quarters: '{} quarter|{} quarters',
    past: 'past {}',
    completed: 'last {}',
    available: 'newest data: {}',
    next: 'coming {}',
    nextFull: 'next {}',
    toDate: '{} to date',
    olderThan: 'more than {} ago',
  },
  number: (value) => value.toLocaleString('en'),
  date: (iso, level) => iso.slice(0, { 1: 4, 3: 7 }[level ?? 5] ?? 10),
};

const testOn = (expression: string, value?: Json, more: JsonObject = {}, properties: JsonObject = {}): JsonObject => ({
  expression,
  parameters: [{ dataset_id: 'd', column_id: 'c', ...more }, ...(value === undefined ? [] : [value])],
  properties,
});
const note = (filters: readonly Json[], more: JsonObject = {}): readonly string[] => {
  const item = readItem({ id: 'i', type: 'bar-chart', filters: [...filters], ...more });
  return item === null ? [] : filterNote(item, language);
};

test.each<[expression: string, value: Json | undefined, text: string, withLabel: string, level?: number]>([
  ['? = ?', 'Portugal', 'Portugal', 'Name: Portugal'],
  ['? in ?', ['Portugal', 'Spain', null], 'Portugal, Spain, (empty)', 'Name: Portugal, Spain, (empty)'],
  ['? in ?', ['a', 'b', 'c', 'd', 'e'], 'a, b +3', 'Name: a, b +3'],
  ['? != ?', 'Lyon', 'Not Lyon', 'Name: not Lyon'],
  ['? not in ?', ['Lyon', 'Oslo'], 'Not Lyon, Oslo', 'Name: not Lyon, Oslo'],
  ['? > ?', 1250, '> 1,250', 'Name > 1,250'],
  ['? <= ?', 5, '≤ 5', 'Name ≤ 5'],
  ['? = ?', 5, '= 5', 'Name = 5'],
  ['? != ?', 5, '≠ 5', 'Name ≠ 5'],
  ['? between ?', [10, 20], '10 – 20', 'Name: 10 – 20'],
  ['? = ?', '2023-06-05', '2023', 'Name: 2023', 1],
  ['? between ?', ['2023-01-01', '2023-12-31'], '2023', 'Name: 2023'],
  ['? between ?', ['2023-02-01', '2023-02-28'], '2023-02', 'Name: 2023-02'],
  ['? between ?', ['2023-02-01', '2023-03-05'], '2023-02-01 – 2023-03-05', 'Name: 2023-02-01 – 2023-03-05'],
  ['? >= ?', '2023-05-01', 'From 2023-05-01', 'Name: from 2023-05-01'],
  ['? < ?', '2021-01-01', 'Before 2021-01-01', 'Name: before 2021-01-01'],
  ['? is null', undefined, '(empty)', 'Name: (empty)'],
  ['? is not null', undefined, 'Not (empty)', 'Name: not (empty)'],
  ['? like ?', 'abc', 'Contains “abc”', 'Name: contains “abc”'],
  ['? not starts with ?', 'a$&', 'Not starts with “a$&”', 'Name: not starts with “a$&”'],
  ['? ago ?', { unit: 'month' }, 'Last month', 'Name: last month'],
  ['ago', { unit: 'year', quantity: 0 }, 'This year', 'Name: this year'],
  ['? last_completed ?', { unit: 'quarter', quantity: 2 }, 'Last 2 quarters', 'Name: last 2 quarters'],
  ['? last_now ?', { unit: 'week', quantity: 6 }, 'Past 6 weeks', 'Name: past 6 weeks'],
  ['? more_than_ago ?', { unit: 5, quantity: 3 }, 'More than 3 days ago', 'Name: more than 3 days ago'],
  ['? to_date', undefined, 'This year to date', 'Name: this year to date'],
  ['QTD', undefined, 'This quarter to date', 'Name: this quarter to date'],
])('%s with %j is "%s", with a name "%s"', (expression, value, text, withLabel, level) => {
  const on = level === undefined ? {} : { level };
  expect(note([testOn(expression, value, on)])).toEqual([text]);
  expect(note([testOn(expression, value, on, { label: { en: 'Name' } })])).toEqual([withLabel]);
});

it('names a column as the item shows it, and no number by the label of its total', () => {
  const slots = (type: string): JsonObject => ({
    slots: [{ name: 'measure', content: [{ datasetId: 'd', columnId: 'c', type, label: 'Total' }] }],
  });
  expect(note([testOn('? = ?', 'x', {}, { label: 'Column' })], slots('hierarchy'))).toEqual(['Total: x']);
  expect(note([testOn('? > ?', 1, {}, { label: 'Column' })], slots('numeric'))).toEqual(['Column > 1']);
  expect(note([testOn('? > ?', 12, { column_id: '*' }, { type: 'having' })])).toEqual(['Number of rows > 12']);
});

it('joins conditions in words', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((value) => testOn('? = ?', value));
  expect(note([{ or: [a ?? null, { and: [b ?? null, c ?? null] }] }])).toEqual(['a or (b and c)']);
});

it('leaves out what the title says in whole words, what a control sets and what cannot be read', () => {
  const year = testOn('? = ?', '2023-01-01', { level: 1 });
  expect(note([year], { title: 'Sales, 2023' })).toEqual([]);
  expect(note([year], { title: { en: 'Sales of 20234' } })).toEqual(['2023']);
  expect(note([testOn('? != ?', 'Lyon')], { title: 'Lyon' })).toEqual(['Not Lyon']);
  expect(note([testOn('? = ?', { parameter: 'metadata.x', type: 'text', value: 'y' })])).toEqual([]);
  expect(note([{ expression: 7 }, 'text'])).toEqual([]);
  expect(note([year], { options: { filterNote: false } })).toEqual([]);
});
