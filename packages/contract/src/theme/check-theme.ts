import { isColor } from '../color.ts';
import { oneOf as oneOfWords } from '../wording/faults.ts';
import { contrasts, densities, shadowSizes } from './theme-values.ts';
import { isList, isObject, type Json } from '../json.ts';

/** Reports a fault: its path, and a message that says how to fix it. */
export type Fault = (at: string, message: string) => void;
type Check = (value: Json, at: string, fault: Fault) => void;

const text: Check = (value, at, fault) => {
  if (typeof value !== 'string' || value.length > 500) fault(at, 'must be a text of at most 500 characters');
  else if (/[<>{};]/u.test(value)) fault(at, 'must not contain any of < > { } ;');
};
const flag: Check = (value, at, fault) => {
  if (typeof value !== 'boolean') fault(at, 'must be true or false');
};
const quantity: Check = (value, at, fault) => {
  if (typeof value === 'number' && value >= 0 && value <= 1000) return;
  if (typeof value === 'string' && /^\d{1,4}(?:\.\d{1,3})?(?:px|em|rem|%)?$/u.test(value)) return;
  fault(at, 'must be a number from 0 to 1000, or a length such as "12px"');
};
const color: Check = (value, at, fault) => {
  if (typeof value !== 'string' || !isColor(value))
    fault(at, 'must be a CSS colour such as "#1a2b3c" or "rgb(26,43,60)"');
};
const oneOf =
  (...words: readonly string[]): Check =>
  (value, at, fault) => {
    if (typeof value !== 'string' || !words.includes(value)) fault(at, oneOfWords(words, value));
  };
const listOf =
  (check: Check, max: number): Check =>
  (value, at, fault) => {
    if (!isList(value) || value.length > max) fault(at, `must be a list of at most ${max}`);
    else value.forEach((item, index) => check(item, `${at}[${index}]`, fault));
  };
const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, at, fault) => {
    if (!isObject(value)) return fault(at, 'must be an object');
    for (const [name, item] of Object.entries(value)) {
      if (item !== null && Object.hasOwn(checks, name)) checks[name]?.(item, `${at}.${name}`, fault);
    }
  };

const width = Object.fromEntries(
  ['top', 'right', 'bottom', 'left'].map((side) => [`border-${side}-width`, quantity] as const),
);

/** Checks the known members of a theme. Other members are stored without a check. specification/themes#members */
export const checkTheme: Check = members({
  type: text,
  background: color,
  itemsBackground: color,
  mainColor: color,
  colors: listOf(color, 100),
  sequential: listOf(color, 11),
  diverging: listOf(color, 11),
  font: members({
    fontFamily: text,
    fontSize: quantity,
    'font-weight': (v, at, f) => (typeof v === 'number' ? quantity(v, at, f) : text(v, at, f)),
    'font-style': text,
  }),
  title: members({
    align: oneOf('left', 'center', 'right'),
    bold: flag,
    italic: flag,
    underline: flag,
    border: flag,
    fontSize: quantity,
    lineHeight: quantity,
  }),
  borders: members({
    'border-color': color,
    'border-radius': quantity,
    'border-style': oneOf('none', 'solid', 'dotted', 'dashed'),
    ...width,
  }),
  boxShadow: members({ size: oneOf(...shadowSizes), color }),
  popupShadow: members({ size: oneOf(...shadowSizes), color }),
  typeScale: members({ small: quantity, figure: quantity, headings: listOf(quantity, 3) }),
  spacing: quantity,
  radius: members({ small: quantity, medium: quantity, large: quantity }),
  density: oneOf(...densities),
  contrast: oneOf(...contrasts),
  margins: listOf(quantity, 2),
  axis: members({ fontSize: quantity }),
  legend: members({ type: oneOf('normal', 'line', 'circle'), fontSize: quantity, lineHeight: quantity }),
  tooltip: members({ background: color, fontSize: quantity, lineHeight: quantity, opacity: quantity }),
  itemSpecific: members({ rounding: quantity, padding: quantity }),
});
