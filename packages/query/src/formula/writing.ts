import { functionNamed } from './compile.ts';
import { binding, keywords } from './parse.ts';
import { unitNames } from './times.ts';
import { piecesOf, type TextPiece } from './tokens.ts';
import { placeNames, vocabulary, type Entry, type Place } from './vocabulary.ts';

/** A function as people who write formulas see it. */
export interface FormulaFunction {
  readonly name: FormulaFunctionName;
  readonly parameters: readonly FormulaParameter[];
  /** True if it aggregates the rows of a group. */
  readonly aggregates: boolean;
  /** What it gives, in English. */
  readonly description: string;
}

export interface FormulaParameter {
  readonly takes: Place;
  readonly isOptional: boolean;
  /** True if further values of the same kind may follow. */
  readonly repeats: boolean;
}

export type FormulaFunctionName = keyof typeof vocabulary;

const isFunctionName = (name: string): name is FormulaFunctionName => Object.hasOwn(vocabulary, name);

const parametersOf = ({ takes, least = takes.length, repeats }: Entry): readonly FormulaParameter[] =>
  takes.map((place, index) => ({
    takes: place,
    isOptional: index >= least,
    repeats: repeats === true && index === takes.length - 1,
  }));

/** All functions of formulas, in the order of the specification. */
export const formulaFunctions: readonly FormulaFunction[] = Object.keys(vocabulary)
  .filter(isFunctionName)
  .map((name) => {
    const entry: Entry = vocabulary[name];
    const { aggregates = false, description } = entry;
    return { name, parameters: parametersOf(entry), aggregates, description };
  });

const operatorRank = (operator: string): number => {
  if (/\w/u.test(operator)) return 2;
  return (binding[operator] ?? 0) > (binding['='] ?? 0) ? 0 : 1;
};

/** What stands between values: signs of arithmetic, signs that compare, then words. Each meaning once. */
export const formulaOperators: readonly string[] = Object.keys(binding)
  .filter((operator) => operator !== '<>')
  .toSorted((left, right) => operatorRank(left) - operatorRank(right));

/** Words with a meaning of their own, without those that are operators. */
export const formulaWords: readonly string[] = [
  ...[...keywords].filter((word) => !Object.hasOwn(binding, word) && word !== 'where'),
  ...(['not', 'true', 'false', 'null'] as const),
];

/** Units of time, as `datetrunc`, `dateadd` and `datediff` take them. */
export const formulaUnits: readonly string[] = unitNames;

/**
 * Writes how a function is called, such as `round(number, [digits])`.
 * @param nameOf returns what a parameter is called; in English by default
 */
export const signatureOf = (
  { name, parameters }: FormulaFunction,
  nameOf: (place: Place) => string = (place) => placeNames[place],
): string => {
  const written = parameters.map((parameter) => parameterOf(parameter, nameOf));
  return `${name}(${written.join(', ')})`;
};

/** Writes one parameter of a signature. */
export const parameterOf = (
  { takes, isOptional, repeats }: FormulaParameter,
  nameOf: (place: Place) => string = (place) => placeNames[place],
): string => `${isOptional ? `[${nameOf(takes)}]` : nameOf(takes)}${repeats ? ', …' : ''}`;

/** What stands around a place in a text that is becoming a formula. */
export interface FormulaPlace {
  /** The innermost function around the place and the index of its argument there; null outside of functions. */
  readonly call: { readonly of: FormulaFunction; readonly argument: number } | null;
  /** True if an aggregate is around the place. */
  readonly isAggregated: boolean;
  /** True if a value ends before the place, so that an operator may follow. */
  readonly isAfterValue: boolean;
  /** The word or text that the place is in or behind; null if there is none. */
  readonly piece: TextPiece | null;
}

const endsValue = ({ kind, value }: TextPiece): boolean =>
  ['number', 'text', 'column'].includes(kind) ||
  value === ')' ||
  (kind === 'word' && ['true', 'false', 'null', 'end'].includes(value));

/** Returns what stands around an offset in a text, although the text may not be a formula yet. */
export function formulaPlace(text: string, at: number): FormulaPlace {
  const before = piecesOf(text).filter((piece) => piece.at < at);
  const last = before.at(-1) ?? null;
  const isWord = last?.kind === 'word' && last.end >= at;
  const isInText = last?.kind === 'other' && /^['"]/u.test(last.value);
  const isInside = last !== null && (isWord || isInText || last.end > at);
  const open: { name: string | null; argument: number }[] = [];
  const outer = isInside ? before.slice(0, -1) : before;
  for (const [index, { kind, value }] of outer.entries()) {
    const previous = outer[index - 1];
    if (kind !== 'sign') continue;
    if (value === '(') open.push({ name: previous?.kind === 'word' ? previous.value : null, argument: 0 });
    if (value === ')') open.pop();
    const innermost = open.at(-1);
    if (value === ',' && innermost !== undefined) innermost.argument += 1;
  }
  const functionOf = (name: string | null): FormulaFunction | undefined =>
    formulaFunctions.find((one) => one.name === name);
  const innermost = open.findLast(({ name }) => functionOf(name) !== undefined);
  const around = innermost === undefined ? undefined : functionOf(innermost.name);
  const previous = outer.at(-1);
  return {
    call: innermost === undefined || around === undefined ? null : { of: around, argument: innermost.argument },
    isAggregated: open.some(({ name }) => name !== null && functionNamed(name)?.aggregates === true),
    isAfterValue: previous !== undefined && endsValue(previous),
    piece: isInside ? last : null,
  };
}

/** Returns the end of what begins at an offset of a text: where a fault there ends. */
export const pieceEnd = (text: string, at: number): number =>
  piecesOf(text).find((piece) => piece.at <= at && at < piece.end)?.end ?? Math.min(at + 1, text.length);
