import type { JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOf } from '../../bench/questions/ask.ts';
import { cellOf } from '../../bench/questions/cells.ts';
import {
  acceptedSql,
  domainFolders,
  languages,
  questionKinds,
  readDomains,
  tableOf,
} from '../../bench/questions/domain.ts';
import { isSameRows } from '../../bench/questions/equal.ts';
import { ExpectedAnswers } from '../../bench/questions/expected.ts';
import { relaxedSql } from '../../bench/questions/relaxed.ts';
import { itemsOf, show } from '../../bench/questions/shown.ts';
import { Stage, type StageDataset } from '../../bench/questions/stage.ts';
import { judge, type Verdict } from '../../bench/questions/verdict.ts';

const domains = domainFolders.flatMap((folder) => readDomains(folder));

describe('the business questions', () => {
  it.each([
    ['domains', 560, 24],
    ['held-out', 80, 4],
  ] as const)('of %s are %i over %i domains, in five languages and of every kind', (folder, count, domainCount) => {
    const folderDomains = readDomains(folder);
    const questions = folderDomains.flatMap((domain) => domain.questions);
    expect(folderDomains).toHaveLength(domainCount);
    expect(questions).toHaveLength(count);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(count);
    expect(new Set(questions.map(({ language }) => language))).toEqual(new Set(languages));
    expect(new Set(questions.map(({ kind }) => kind))).toEqual(new Set(questionKinds));
  });

  it.each(domains)('of $name have SQL that gives rows, which its conditions change', async (domain) => {
    const expected = await ExpectedAnswers.open(domain);
    const names = domain.tables.map(({ name }) => name);
    const faults: string[] = [];
    for (const question of domain.questions) {
      const before = domain.questions.find(({ id }) => id === question.after);
      const isSound =
        question.id.startsWith(`${domain.name}-`) &&
        names.includes(tableOf(domain, question)) &&
        (question.cannot === true) === (question.sql === undefined) &&
        (question.after === undefined || before !== undefined) &&
        (before === undefined || tableOf(domain, before) === tableOf(domain, question));
      if (!isSound) faults.push(`${question.id} is not well formed`);
      for (const sql of acceptedSql(question, domain.today))
        if ((await expected.rows(sql)).length === 0) faults.push(`${question.id} has no rows: ${sql}`);
      const right = await expected.rows(question.sql === undefined ? 'select 1' : firstSql(question, domain.today));
      const bare = question.sql === undefined ? undefined : relaxedSql(firstSql(question, domain.today)).at(-1);
      const isTested = bare !== undefined && !/is not null/u.test(question.sql ?? '');
      if (isTested && JSON.stringify(await expected.rows(bare)) === JSON.stringify(right))
        faults.push(`${question.id} has the same rows without its conditions`);
    }
    expected.close();
    expect(faults).toEqual([]);
  });
});

function firstSql(question: Parameters<typeof acceptedSql>[0], today: string): string {
  return acceptedSql(question, today)[0] ?? '';
}

describe('the score of a question', () => {
  const [domain] = domains.filter(({ name }) => name === 'hotels');
  let stage: Stage;
  let expected: ExpectedAnswers;
  let bookings: StageDataset;

  beforeAll(async () => {
    if (domain === undefined) throw new Error('there is no domain hotels');
    const [table] = domain.tables;
    if (table === undefined) throw new Error('the hotels have no tables');
    stage = await Stage.open(domain.today);
    expected = await ExpectedAnswers.open(domain);
    bookings = await stage.upload(domain, table);
  });
  afterAll(async () => {
    expected.close();
    await stage.close();
  });

  const entry = (name: string, more: JsonObject): JsonObject => ({
    datasetId: bookings.id,
    columnId: bookings.columns.find((column) => column.name === name)?.id ?? '',
    label: name,
    ...more,
  });
  const byRoom = (): JsonObject => ({
    type: 'bar-chart',
    slots: [
      { name: 'y-axis', content: [entry('room_type', { type: 'hierarchy' })] },
      { name: 'measure', content: [entry('revenue', { type: 'numeric', aggregationFunc: 'sum' })] },
    ],
  });
  const onlyIn = (country: string): JsonObject => ({
    expression: '? = ?',
    parameters: [{ dataset_id: bookings.id, column_id: entry('country', {})['columnId'] ?? '' }, country],
  });

  async function verdictOf(id: string, generatedChart: JsonObject | null, message: string | null): Promise<Verdict> {
    const question = domain?.questions.find((other) => other.id === id);
    if (domain === undefined || question === undefined) throw new Error(`there is no question ${id}`);
    const { drawn } = itemsOf(generatedChart === null ? {} : { generatedChart });
    const run = (query: JsonObject) => stage.done('data', { action: 'get', find: query });
    const shown = drawn === null ? null : await show(drawn, run, stage.nowMs());
    const outcome = {
      drawn: shown,
      hasItem: drawn !== null,
      alternatives: [],
      message,
      drawnNames: ['Room type', 'Room revenue'],
    };
    return judge(question, await keyOf(domain, question, expected, bookings.columns), outcome);
  }

  it('is right with the right rows', async () => {
    expect(await verdictOf('hotels-7', { ...byRoom(), filters: [onlyIn('Portugal')] }, null)).toBe('right');
    const filterGroups = [{ origin: 'itemFilter', itemId: 'asked', condition: 'and', filters: [onlyIn('Portugal')] }];
    expect(await verdictOf('hotels-7', { ...byRoom(), filterGroups }, null)).toBe('right');
  });

  it('is silent with wrong rows and no word about it', async () => {
    expect(await verdictOf('hotels-7', byRoom(), null)).toBe('silent');
    expect(await verdictOf('hotels-7', byRoom(), 'The revenue of each room type.')).toBe('silent');
    expect(await verdictOf('hotels-7', { ...byRoom(), filters: [onlyIn('Norway')] }, null)).toBe('silent');
  });

  it('is partly right where the message names the condition that is missing', async () => {
    expect(await verdictOf('hotels-7', byRoom(), '“portugal” was left out.')).toBe('partly');
  });

  it('is wrong but said where the message names it and the measure is wrong too', async () => {
    const counted = { ...byRoom(), slots: [{ name: 'y-axis', content: [entry('room_type', { type: 'hierarchy' })] }] };
    expect(await verdictOf('hotels-7', counted, '“portugal” was left out.')).toBe('said');
    expect(await verdictOf('hotels-7', null, null)).toBe('said');
  });

  it('takes a number with its change for a comparison', async () => {
    const number = (kind: string): JsonObject => ({
      type: 'evolution-number',
      options: { comparison: { with: kind } },
      slots: [
        { name: 'measure', content: [entry('revenue', { type: 'numeric', aggregationFunc: 'sum' })] },
        { name: 'evolution', content: [entry('check_in', { type: 'datetime', level: 2 })] },
      ],
    });
    expect(await verdictOf('hotels-12', number('year'), null)).toBe('right');
    expect(await verdictOf('hotels-12', number('previous'), null)).toBe('silent');
  });

  it('compares rows in any order, in six digits, and refuses rows or measures too many', () => {
    const rows = [
      ['Oslo', cellOf(1 / 3)],
      ['Porto', 12],
    ];
    const rules = { percent: false, measures: false };
    const shown = (cells: readonly (readonly (string | number)[])[]) => ({ rows: cells, groups: 1 });
    expect(
      isSameRows(
        rows,
        shown([
          ['Porto', 12],
          ['Oslo', 0.333334],
        ]),
        rules,
      ),
    ).toBe(true);
    expect(
      isSameRows(
        rows,
        shown([
          ['Porto', 12],
          ['Oslo', 0.3334],
        ]),
        rules,
      ),
    ).toBe(false);
    expect(
      isSameRows(
        rows,
        shown([
          ['Porto', 12],
          ['Oslo', 0.333333],
          ['Bergen', 1],
        ]),
        rules,
      ),
    ).toBe(false);
    expect(
      isSameRows(
        rows,
        shown([
          ['Porto', 12, 1],
          ['Oslo', 0.333333, 2],
        ]),
        rules,
      ),
    ).toBe(false);
    expect(
      isSameRows(
        rows,
        shown([
          ['Porto', 1200],
          ['Oslo', 33.3333],
        ]),
        { ...rules, percent: true },
      ),
    ).toBe(true);
  });
});
