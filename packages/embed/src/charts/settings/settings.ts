import {
  comparisonKindOf,
  inLanguage,
  isObject,
  listIn,
  member,
  objectIn,
  type ComparisonKind,
  type Item,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import { parseColor, writeColor } from '@inlay/contract/theme';

export interface AxisSettings {
  readonly title: string;
  readonly isShown: boolean;
  readonly isInverted: boolean;
  readonly format: string | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly isLog: boolean;
}

/** A line or band across a chart. */
export interface Reference {
  readonly type: 'constant' | 'mean' | 'median' | 'today';
  readonly value: number | null;
  readonly to: number | null;
  readonly label: string;
  readonly color: string | null;
}

/** The colour of values from `min` up to but not including `max`. It applies to the measure at `index`. */
export interface ColorRule {
  readonly min: number;
  readonly max: number;
  readonly index: number;
  readonly color: string;
}

/** Parsed options of an item. An option of the wrong type is treated as missing. */
export interface Settings {
  readonly description: string;
  readonly axis: { readonly category: AxisSettings; readonly value: AxisSettings };
  readonly isStacked: boolean;
  readonly isPercent: boolean;
  readonly isOneColor: boolean;
  readonly legend: 'auto' | 'top' | 'bottom' | 'none';
  readonly labels: 'auto' | 'all' | 'none';
  readonly curve: 'straight' | 'smooth' | 'step';
  /** If null, the chart decides whether lines have points. */
  readonly hasPoints: boolean | null;
  readonly references: readonly Reference[];
  readonly hasTrend: boolean;
  readonly rules: readonly ColorRule[];
  readonly scale: { readonly isDiverging: boolean; readonly middle: number } | null;
  readonly comparison: { readonly with: ComparisonKind; readonly lowerIsBetter: boolean };
  /** If true, a list filter has buttons instead of checkboxes. */
  readonly hasButtons: boolean;
  readonly hasTotals: boolean;
  readonly hasSubtotals: boolean;
  readonly hasBars: boolean;
  /** Texts of members in the manual order of the item; may be empty. */
  readonly manualOrder: readonly string[];
  /** Name of the slot whose members the manual order sorts. */
  readonly orderedSlot: string;
  /** Returns the custom colour of a member or measure by its text; null if it has none. */
  readonly colorOf: (text: string) => string | null;
}

const numberIn = (object: JsonObject, name: string): number | null => {
  const value = member(object, name);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};
const textIn = (object: JsonObject, name: string): string | null => {
  const value = member(object, name);
  return typeof value === 'string' && value !== '' ? value : null;
};
const colorIn = (value: Json | undefined): string | null => {
  const color = typeof value === 'string' ? parseColor(value) : null;
  return color === null ? null : writeColor(color);
};
const oneOf = <Word extends string>(object: JsonObject, name: string, words: readonly [Word, ...Word[]]): Word =>
  words.find((word) => word === member(object, name)) ?? words[0];

const axisOf = (axes: JsonObject, name: string, locale: string): AxisSettings => {
  const axis = objectIn(axes, name);
  return {
    title: inLanguage(member(axis, 'title') ?? null, locale),
    isShown: member(axis, 'show') !== false,
    isInverted: member(axis, 'inverted') === true,
    format: textIn(axis, 'format'),
    min: numberIn(axis, 'min'),
    max: numberIn(axis, 'max'),
    isLog: member(axis, 'scale') === 'log',
  };
};

const referenceOf =
  (locale: string) =>
  (reference: Json): readonly Reference[] =>
    isObject(reference)
      ? [
          {
            type: oneOf(reference, 'type', ['constant', 'mean', 'median', 'today']),
            value: numberIn(reference, 'value'),
            to: numberIn(reference, 'to'),
            label: inLanguage(member(reference, 'label') ?? null, locale),
            color: colorIn(member(reference, 'color')),
          },
        ]
      : [];

function ruleOf(rule: Json): readonly ColorRule[] {
  const color = isObject(rule) ? colorIn(member(rule, 'color')) : null;
  if (!isObject(rule) || color === null) return [];
  return [
    {
      min: numberIn(rule, 'min') ?? Number.NEGATIVE_INFINITY,
      max: numberIn(rule, 'max') ?? Number.POSITIVE_INFINITY,
      index: numberIn(rule, 'index') ?? 0,
      color,
    },
  ];
}

/** Returns the colour that the rules set for a value; null if no rule matches. */
export const ruledColor = (rules: readonly ColorRule[], value: number | null, index = 0): string | null =>
  value === null
    ? null
    : (rules.find((rule) => rule.index === index && value >= rule.min && value < rule.max)?.color ?? null);

/** Parses the options of an item. Texts are those in the viewer's language. */
export function settingsOf(item: Item, locale: string): Settings {
  const { options } = item;
  const axes = objectIn(options, 'axis');
  const sort = objectIn(options, 'sort');
  const comparison = objectIn(options, 'comparison');
  const colors = objectIn(options, 'colors');
  const points = member(options, 'points');
  const flag = (name: string): boolean => member(options, name) === true;
  const scale = member(options, 'scale');
  return {
    description: inLanguage(member(options, 'description') ?? null, locale),
    axis: { category: axisOf(axes, 'category', locale), value: axisOf(axes, 'value', locale) },
    hasButtons: member(options, 'style') === 'buttons',
    isStacked: flag('stacked') || flag('percent'),
    isPercent: flag('percent'),
    isOneColor: member(options, 'oneColor') !== false,
    legend: oneOf(options, 'legend', ['auto', 'top', 'bottom', 'none']),
    labels: oneOf(options, 'labels', ['auto', 'all', 'none']),
    curve: oneOf(options, 'curve', ['straight', 'smooth', 'step']),
    hasPoints: typeof points === 'boolean' ? points : null,
    references: listIn(options, 'references').flatMap(referenceOf(locale)),
    hasTrend: flag('trend'),
    rules: listIn(options, 'rules').flatMap(ruleOf),
    scale:
      scale !== undefined && isObject(scale)
        ? { isDiverging: member(scale, 'type') === 'diverging', middle: numberIn(scale, 'middle') ?? 0 }
        : null,
    comparison: {
      with: comparisonKindOf(item),
      lowerIsBetter: member(comparison, 'lowerIsBetter') === true,
    },
    hasTotals: flag('totals'),
    hasSubtotals: flag('subtotals'),
    hasBars: flag('bars'),
    manualOrder: listIn(sort, 'members').filter((text) => typeof text === 'string'),
    orderedSlot: textIn(sort, 'by') ?? '',
    colorOf: (text) => colorIn(member(colors, text)),
  };
}
