import { readItem, type JsonObject } from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import type { InitialFilter } from '@inlay/contract/initial-filter';
import { describe, expect, it } from 'vitest';
import { createMemberColors } from '../../charts/frame/member-colors.ts';
import { createFormats } from '../../locale/format.ts';
import { wordsFor } from '../../locale/words.ts';
import { select } from './selection.ts';

const renderContext = {
  theme: resolveTheme([], {}),
  formats: createFormats('en', 'UTC', null),
  words: wordsFor('en'),
  colors: createMemberColors(8),
  nowMs: 0,
  patterns: false,
  reducedMotion: true,
  rightToLeft: false,
};

describe('values that a page chooses in a control of a parameter', () => {
  const chosen = async (data: readonly string[], declared: JsonObject = {}) => {
    const item = readItem({ id: 'c', type: 'parameter-control', options: { parameter: 'region', choices: ['Asia'] } });
    if (item === null) throw new Error('there is no item');
    const contents = {
      parameters: [{ parameter: 'region', type: 'array[hierarchy]', value: ['Europe'], ...declared }],
    };
    const marks: unknown[] = [];
    const starts: InitialFilter[] = [];
    const isChosen = await select(item, undefined, renderContext, data, contents, {
      choose: (mark) => marks.push(mark) > 0,
      start: (start) => void starts.push(start),
    });
    expect(marks).toEqual([]);
    return [isChosen, ...starts.map(({ conditions, parameters }) => ({ conditions, parameters }))];
  };

  it('set and unset that parameter alone', async () => {
    const set = (value: unknown) => ({ conditions: [], parameters: { 'metadata.region': value } });
    expect(await chosen(['Asia'])).toEqual([true, set(['Asia'])]);
    expect(await chosen([])).toEqual([false, set(null)]);
  });

  it('change nothing where they are not offered or the token sets it', async () => {
    expect(await chosen(['Atlantis'])).toEqual([false]);
    for (const data of [['Asia'], []]) expect(await chosen(data, { fixed: true })).toEqual([false]);
  });
});
