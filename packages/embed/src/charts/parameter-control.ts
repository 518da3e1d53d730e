import {
  inWords,
  isOffered,
  offerOf,
  parameterControlOf,
  parameterName,
  parameterScope,
  valuesIn,
  type Item,
  type Json,
  type ParameterChoice,
  type ParameterControl,
  emptySelection,
  type FilterSelection,
  inLanguage,
  dayOf,
} from '@inlay/contract';
import { controlWordsFor } from '../locale/control-words.ts';
import { dayRangeText } from '../locale/days/day-text.ts';
import type { Control, SizedContext, ParameterChart, ParameterSetting } from './frame/chart.ts';

type Kind = 'choice' | 'number' | 'day' | 'text';

const isSeveral = ({ type }: ParameterControl): boolean => type.startsWith('array');

function kindOf({ type, choices }: ParameterControl): Kind {
  if (choices !== null) return 'choice';
  if (type.includes('numeric')) return 'number';
  return type.includes('datetime') ? 'day' : 'text';
}

/** Converts a date value to midnight UTC; null if the value is no date. */
function dayIn(value: Json | undefined, timeZone: string): number | null {
  const text = typeof value === 'string' ? value : '';
  const at = /^\d{4}-\d\d-\d\d/u.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(at)) return null;
  return text.length === 10 ? at : dayOf(at, timeZone);
}

const keyOf = (value: Json): string => JSON.stringify(value);

function textOfValue(parameterControl: ParameterControl, value: Json, { formats, words }: SizedContext): string {
  if (value === null) return words.empty;
  if (typeof value === 'number') return formats.number(value);
  const day = parameterControl.type.includes('datetime') ? dayIn(value, formats.timeZone) : null;
  const datesOnly = { since: String, until: String };
  return day === null ? inWords(value) : dayRangeText({ from: day, to: day }, formats.locale, datesOnly);
}

/** Returns the declared choices, followed by the current values that are no declared choice. */
function choicesOf({ choices, value }: ParameterControl): readonly ParameterChoice[] {
  const choiceKeys = new Set((choices ?? []).map((choice) => keyOf(choice.value)));
  const others = valuesIn(value).filter((currentValue) => !choiceKeys.has(keyOf(currentValue)));
  return [...(choices ?? []), ...others.map((currentValue) => ({ value: currentValue, label: null }))];
}

/** Returns the selection that stands for a parameter value. */
function selectionOf(
  parameterControl: ParameterControl,
  value: Json | undefined,
  { formats }: SizedContext,
): FilterSelection {
  const values = valuesIn(value);
  const [firstValue] = values;
  const kind = kindOf(parameterControl);
  if (kind === 'choice') return { ...emptySelection, keys: values.map(keyOf) };
  if (values.length !== 1) return emptySelection;
  if (kind === 'text') return { ...emptySelection, text: inWords(firstValue) };
  const number = kind === 'day' ? dayIn(firstValue, formats.timeZone) : Number(firstValue);
  const at = Number.isFinite(number) ? number : null;
  return { ...emptySelection, from: at, to: at };
}

/** Returns the parameter value of a selection; null if the selection is empty. */
function valueOf(parameterControl: ParameterControl, { keys, from, text }: FilterSelection): Json {
  const chosenKeys = new Set(keys);
  const values: Readonly<Record<Kind, () => readonly Json[]>> = {
    choice: () => choicesOf(parameterControl).flatMap(({ value }) => (chosenKeys.has(keyOf(value)) ? [value] : [])),
    number: () => (from === null ? [] : [from]),
    day: () => (from === null ? [] : [new Date(from).toISOString().slice(0, 10)]),
    text: () => (text === '' ? [] : [text]),
  };
  const set = values[kindOf(parameterControl)]();
  return set.length === 0 ? null : isSeveral(parameterControl) ? set : (set[0] ?? null);
}

function controlOf(parameterControl: ParameterControl, { options }: Item, context: SizedContext): Control {
  const texts = valuesIn(parameterControl.value).map((value) => textOfValue(parameterControl, value, context));
  const words = controlWordsFor(context.formats.locale);
  const { isFixed } = parameterControl;
  const kind = kindOf(parameterControl);
  const currentText = texts.join(', ') || (isFixed ? words.custom : words.choose);
  const part = { isFixed, field: null, unset: currentText };
  if (kind === 'choice')
    return {
      ...part,
      kind: 'choice',
      many: isSeveral(parameterControl),
      view: options['style'] === 'buttons' ? 'buttons' : 'dropdown',
      options: choicesOf(parameterControl).map(({ value, label }) => ({
        key: keyOf(value),
        cell: value,
        measure: null,
        share: null,
        text: inLanguage(label, context.formats.locale) || textOfValue(parameterControl, value, context),
      })),
    };
  if (kind === 'text') return { ...part, kind: 'text' };
  return {
    ...part,
    kind: 'range',
    isSingle: true,
    datetime: kind === 'day',
    least: null,
    most: null,
    leastText: currentText,
    maxText: '',
  };
}

/**
 * A control that sets a parameter. It is a choice, or a field for a number, date or text, depending on the type of the
 * parameter.
 */
export const chart: ParameterChart = {
  kind: 'filter',
  type: 'parameter-control',
  parameter: (item, contents, context): ParameterSetting | null => {
    const parameterControl = parameterControlOf(item, parameterScope(contents ?? {}));
    if (parameterControl === null) return null;
    const name = parameterName(parameterControl.parameter);
    const valuesOf: ParameterSetting['valuesOf'] = (selection) => ({ [name]: valueOf(parameterControl, selection) });
    return {
      name: parameterControl.parameter,
      control: controlOf(parameterControl, item, context),
      chosen: selectionOf(parameterControl, parameterControl.value, context),
      valuesOf,
      startWith: (values) => {
        if (parameterControl.isFixed || (values.length > 0 && !isOffered(offerOf(parameterControl), values)))
          return null;
        const selection = selectionOf(parameterControl, isSeveral(parameterControl) ? values : values[0], context);
        const parameters = valuesOf(selection);
        return values.length > 0 && parameters[name] === null
          ? null
          : { chosen: selection, conditions: [], parameters };
      },
    };
  },
};
