import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import {
  allExpressions,
  isOfQuestions,
  nameOf,
  notedSafe,
  prove,
  questions,
  type Found,
} from '../support/regular-expressions.ts';
import { storesToTest } from '../support/service.ts';
import { startWorkClock } from '../support/work-clock.ts';

/** Texts that make an expression try again and again: its own words, over and over, with an end that fits nothing. */
function* hostileTexts({ source }: Found): Generator<string> {
  const words = [...new Set(source.match(/[a-z]{2,}|\d/gu) ?? [])];
  const pieces = [
    ...words.map((word) => ` ${word}`),
    ' a',
    'a',
    '1',
    '1,',
    "'",
    '"',
    '‘',
    ' ',
    '(',
    'a-',
    ' "q"',
    ' is',
    ' the',
  ];
  const whole = (piece: string): string => piece.repeat(Math.ceil(questions.longest / piece.length));
  for (const [index, piece] of pieces.entries()) {
    for (const text of [whole(piece), whole(piece + (pieces[(index * 7 + 3) % pieces.length] ?? ''))]) {
      yield text.slice(0, questions.longest - 2) + '\t\u0000';
    }
  }
}

describe('regular expressions', () => {
  it(
    'are all proven to take time in proportion to the text, but for those of questions',
    { timeout: 600_000 },
    async () => {
      const safe = notedSafe();
      const others = (await allExpressions()).filter((one) => !safe.has(nameOf(one)) && !isOfQuestions(one));
      const verdicts: string[] = [];
      for (const one of others) {
        const { status } = await prove(one);
        if (status !== 'safe') verdicts.push(`${status} ${one.at} ${nameOf(one)}`);
      }
      expect(verdicts).toEqual([]);
    },
  );

  it('of questions are done soon with the longest question there may be', async () => {
    const slow: string[] = [];
    for (const one of (await allExpressions()).filter(isOfQuestions)) {
      const expression = new RegExp(one.source, one.flags);
      for (const text of hostileTexts(one)) {
        const clock = startWorkClock();
        if (expression.global) text.replaceAll(expression, '');
        else expression.test(text);
        const ms = clock.passedMs();
        if (ms > 500) slow.push(`${ms.toFixed(0)} ms ${one.at} ${nameOf(one)} ${text.slice(0, 40)}`);
      }
    }
    expect(slow).toEqual([]);
  });
});

const patterns = ['^(a+)+$', '(a|aa)+$', '%a'.repeat(30), `${'%a_'.repeat(20)}%c`, '_%'.repeat(50), '%'.repeat(100)];
const long = `${'a'.repeat(900)}!`;

describe.each(storesToTest)('a hostile search text on %s', (store) => {
  const api = useApi(store);

  it('is answered at once, as a text and as a pattern', async () => {
    await api.create('dashboard', { name: { en: long } });
    for (const pattern of patterns) {
      for (const find of [
        { where: { name: { like: pattern } } },
        { where: { 'name.en': { iLike: pattern } } },
        { where: { name: { contains: pattern } } },
        { search: { keyphrase: pattern } },
      ]) {
        const clock = startWorkClock();
        const { status } = await api.call('dashboard', { find });
        expect(status, pattern).toBe(200);
        expect(clock.passedMs(), `${pattern} ${JSON.stringify(find)}`).toBeLessThan(2000);
      }
    }
  });
});

describe('a hostile pattern of a data query', () => {
  const api = useApi('sqlite');

  it('is held against rows without trying again and again', async () => {
    const data = [['word'], ...Array.from({ length: 1000 }, (_, index) => [`${long}${index}`])];
    const options = { header: true, name: { en: 'Words' } };
    const { id } = await api.create('data', { type: 'create', data, options });
    const [column] = await api.find('column', { where: { securable_id: id } });
    const on = { dataset_id: id, column_id: column?.['id'] };
    const find = (pattern: string, by: string): object => ({
      measures: [{ dataset_id: id, column_id: '*' }],
      where: [{ expression: `? ${by} ?`, parameters: [on, pattern] }],
    });
    for (const pattern of patterns)
      for (const by of ['like', 'not like', 'starts with', 'ends with']) {
        const clock = startWorkClock();
        await api.ok('data', { action: 'get', find: find(pattern, by) });
        expect(clock.passedMs(), `${by} ${pattern}`).toBeLessThan(3000);
      }
  });
});
