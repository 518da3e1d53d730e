import type { Control, SizedContext } from './charts/frame/chart.ts';
import { isSet, type FilterSelection } from '@inlay/contract';
import { controlWordsFor, filledIn, type ControlWords } from './locale/control-words.ts';
import { dayRangeText } from './locale/days/day-text.ts';
import type { DayRange } from './locale/days/presets.ts';

type Reader = Pick<SizedContext, 'formats'>;

/** Returns the display names of the selected members. */
const namesOf = (control: Extract<Control, { kind: 'choice' }>, { keys }: FilterSelection): readonly string[] => {
  const chosenKeys = new Set(keys);
  return control.options.filter(({ key }) => chosenKeys.has(key)).map(({ text }) => text);
};

const openEnds = (words: ControlWords): Parameters<typeof dayRangeText>[2] => ({
  since: (text) => filledIn(words.since, text),
  until: (text) => filledIn(words.until, text),
});

function numbersText({ from, to }: DayRange, { formats }: Reader, write: (value: number) => string): string {
  if (from !== null && from === to) return write(from);
  const { since, until } = openEnds(controlWordsFor(formats.locale));
  if (from !== null && to !== null) return `${write(from)} – ${write(to)}`;
  return from === null ? (to === null ? '' : until(write(to))) : since(write(from));
}

/** Returns a range as text; empty if neither end is set. */
export function rangeText(control: Extract<Control, { kind: 'range' }>, ends: DayRange, context: Reader): string {
  const { locale } = context.formats;
  if (control.datetime) return dayRangeText(ends, locale, openEnds(controlWordsFor(locale)));
  return numbersText(ends, context, (value) => control.field?.text(value) ?? context.formats.number(value));
}

/**
 * Returns the selection of a filter as text: the names of up to `maxNames` members, otherwise the number of members.
 */
export function chosenText(control: Control, selection: FilterSelection, context: Reader, maxNames: number): string {
  const words = controlWordsFor(context.formats.locale);
  if (!isSet(selection)) return control.unset ?? words.all;
  if (selection.unshown) return words.custom;
  if (control.kind === 'range') {
    const isWhole = selection.from !== null && selection.to !== null;
    const kind = control.comparison === undefined || !isWhole ? 'none' : (selection.compareWith ?? control.comparison);
    const range = rangeText(control, selection, context);
    return kind === 'none' ? range : `${range} · ${words[kind]}`;
  }
  if (control.kind === 'text') return selection.text;
  const names = namesOf(control, selection);
  if (control.unset === undefined && (names.length === 0 || names.length === control.options.length)) return words.all;
  return names.length <= maxNames ? names.join(', ') : filledIn(words.chosen, context.formats.number(names.length));
}
