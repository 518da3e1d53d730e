import {
  readItem,
  type Json,
  type JsonObject,
  emptySelection,
  filtersFor,
  parametersNamed,
  parametersOf,
  withFilters,
} from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import { describe, expect, it } from 'vitest';
import { chosenText } from '../chosen-text.ts';
import { createFormats } from '../locale/format.ts';
import { wordsFor } from '../locale/words.ts';
import { createMemberColors } from './frame/member-colors.ts';
import type { ParameterSetting } from './frame/chart.ts';
import { chart } from './parameter-control.ts';

const name = 'metadata.p';
const lookIn = (locale: string) => ({
  theme: resolveTheme([], {}),
  formats: createFormats(locale, 'Europe/Brussels', null),
  words: wordsFor(locale),
  colors: createMemberColors(8),
  nowMs: 0,
  widthPx: 0,
  heightPx: 0,
  patterns: false,
  reducedMotion: true,
  rightToLeft: false,
});
function settingOf(
  declared: JsonObject,
  options: JsonObject = {},
  more: JsonObject = {},
  locale = 'en',
): ParameterSetting {
  const item = readItem({ id: 'c', type: 'parameter-control', options: { parameter: name, ...options } });
  const contents = { parameters: [{ parameter: name, ...declared }], ...more };
  const setting = item === null ? null : chart.parameter(item, contents, lookIn(locale));
  if (setting === null) throw new Error('there is no control');
  return setting;
}
const shown = ({ control, chosen }: ParameterSetting, locale = 'en'): string =>
  chosenText(control, chosen, lookIn(locale), 5);

describe('a control of a parameter', () => {
  it.each<[string, JsonObject, Json, string]>([
    ['text', { type: 'hierarchy', value: 'Europe' }, 'Asia', 'Europe'],
    ['text', { type: 'array[hierarchy]', value: ['Europe', 'Asia'] }, ['Africa'], 'Europe, Asia'],
    ['range', { type: 'numeric', value: 1500 }, 2, '1,500'],
    ['range', { type: 'array[numeric]', value: [3] }, [2], '3'],
    ['range', { type: 'datetime', value: '2025-03-01' }, '2025-04-05', 'Mar 1, 2025'],
    ['range', { type: 'datetime', value: '2025-02-28T23:00:00.000Z' }, '2025-04-05', 'Mar 1, 2025'],
    ['text', {}, 'Asia', 'Choose…'],
  ])('is a %s for %j and sets a value of its type', (kind, declared, value, text) => {
    const setting = settingOf(declared);
    expect(setting.control.kind).toBe(kind);
    expect(shown(setting)).toBe(text);
    const start = setting.startWith(Array.isArray(value) ? value : [value]);
    expect(start).toMatchObject({ conditions: [], parameters: { [name]: value } });
    expect(setting.valuesOf(emptySelection)).toEqual({ [name]: null });
    expect(setting.startWith([])).toEqual({ chosen: emptySelection, conditions: [], parameters: { [name]: null } });
  });

  it('is not set to what it does not offer, or to what is no value of its type', () => {
    const regions = settingOf({ type: 'array[hierarchy]', value: ['Europe'] }, { choices: ['Asia'] });
    for (const values of [['Atlantis'], ['Asia', 'Atlantis'], [null]]) expect(regions.startWith(values)).toBe(null);
    expect(regions.startWith(['Europe', 'Asia'])?.parameters).toEqual({ [name]: ['Asia', 'Europe'] });
    expect(settingOf({ type: 'numeric' }).startWith(['many'])).toBe(null);
    expect(settingOf({ type: 'datetime' }).startWith(['soon'])).toBe(null);
    expect(settingOf({ type: 'hierarchy' }).startWith(['Asia'])?.parameters).toEqual({ [name]: 'Asia' });
  });

  it('sets one name of the parameter, however it is spelled', () => {
    expect(settingOf({}, { parameter: 'p' }).valuesOf(emptySelection)).toEqual({ [name]: null });
  });

  it('offers choices with their labels, and what is in force beside them', () => {
    const choices = [{ value: 'Asia', label: { en: 'The East', fr: 'Orient' } }, 'Africa'];
    const declared = { type: 'array[hierarchy]', value: ['Europe'] };
    const setting = settingOf(declared, { choices }, {}, 'fr-BE');
    const { control } = setting;
    expect(control).toMatchObject({ kind: 'choice', many: true, view: 'dropdown' });
    expect(control.kind === 'choice' && control.options.map(({ text }) => text)).toEqual([
      'Orient',
      'Africa',
      'Europe',
    ]);
    expect(shown(setting)).toBe('Europe');
    const start = setting.startWith(['Africa', 'Asia']);
    expect(start?.parameters).toEqual({ [name]: ['Asia', 'Africa'] });
    const single = settingOf({ type: 'numeric', value: 1 }, { choices: [1, 2], style: 'buttons' });
    expect(single.control).toMatchObject({ kind: 'choice', many: false, view: 'buttons' });
    expect(single.startWith([2])?.parameters).toEqual({ [name]: 2 });
  });

  it('starts with the value of the filter that names it, before the one that is declared', () => {
    const value = { parameter: name, type: 'hierarchy', value: 'Africa' };
    const filters = [{ expression: '? = ?', parameters: [{ dataset_id: 'd', column_id: 'c' }, value] }];
    const views = [{ filterGroups: [{ filters }] }];
    expect(shown(settingOf({ value: 'Europe' }, {}, { views }))).toBe('Africa');
    expect(shown(settingOf({ value: 'Europe', fixed: true }, {}, { views }))).toBe('Europe');
  });

  it('cannot be set where the token sets it, and tells no value that is not to be shown', () => {
    const setting = settingOf({ type: 'hierarchy', value: null, fixed: true });
    expect(setting.control.isFixed).toBe(true);
    expect(shown(setting)).toBe('Custom');
    expect(setting.startWith(['Asia'])).toBe(null);
    expect(setting.startWith([])).toBe(null);
  });
});

describe('values of parameters', () => {
  const filter = { expression: '? = ?', datasetId: 'd', columnId: 'c', level: null, clause: 'where' as const };
  const sets = [
    { origin: 'global', conditions: [{ ...filter, value: { parameter: name, type: 'hierarchy', value: 'x' } }] },
    { origin: 'page', conditions: [{ ...filter, columnId: name, value: name }] },
  ];

  it('go with queries whose filters name them', () => {
    const both = { [name]: ['Asia'], 'metadata.q': 1 };
    const query = filtersFor('a', new Set(['d']), sets);
    expect(parametersNamed(query, both)).toEqual({ parameters: { [name]: ['Asia'] } });
    expect(parametersNamed(query, { [`metadata.${name}`]: 2 })).toBe(null);
    expect(parametersNamed({ where: [{ value: { parameter: 'p' } }] }, both)).toEqual({
      parameters: { [name]: ['Asia'] },
    });
    expect(parametersNamed(filtersFor('a', new Set(['d']), sets.slice(1)), both)).toBe(null);
    expect(parametersNamed(filtersFor('a', new Set(['e']), sets), both)).toBe(null);
  });

  it('are kept by the item with which they were set', () => {
    const changed = withFilters(withFilters(sets, 'c', [], { [name]: 'a' }), 'e', [], { 'metadata.q': 1 });
    expect(parametersOf(changed)).toEqual({ [name]: 'a', 'metadata.q': 1 });
    expect(parametersOf(withFilters(changed, 'c', [], { [name]: null }))).toEqual({ [name]: null, 'metadata.q': 1 });
    expect(parametersOf(withFilters(changed, 'c', []))).toEqual({ 'metadata.q': 1 });
  });
});
