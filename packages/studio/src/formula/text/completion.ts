import { fold } from '@inlay/contract';
import { formulaFunctions, formulaOperators, formulaPlace, formulaUnits, formulaWords } from '@inlay/query';
import type { FormulaText } from './formula-text.ts';

/** Something that can be inserted into a formula. */
export interface Suggestion {
  readonly kind: 'column' | 'function' | 'word' | 'operator' | 'unit';
  /** What the list shows, and what stands beside it there. */
  readonly label: string;
  readonly detail: string;
  /** What is inserted. */
  readonly text: string;
  /** How many characters before the end of the inserted text the caret stands afterwards. */
  readonly caretBack: number;
}

/** A list of suggestions for a place, and the range that they replace. */
export interface Completion {
  readonly suggestions: readonly Suggestion[];
  readonly start: number;
  readonly end: number;
}

/** A column that can be suggested: its name as formulas show it, and that of its dataset. */
export interface SuggestedColumn {
  readonly name: string;
  readonly datasetName: string;
}

const maxSuggestions = 60;
const wordSign = /[\p{L}\p{M}\p{N}_]/u;

const functions: readonly Suggestion[] = formulaFunctions.map(({ name, parameters }) => ({
  kind: 'function',
  label: name,
  detail: '',
  text: `${name}()`,
  caretBack: parameters.length === 0 ? 0 : 1,
}));
const aggregateNames = new Set(formulaFunctions.filter(({ aggregates }) => aggregates).map(({ name }) => String(name)));
const words: readonly Suggestion[] = formulaWords.map((word) => ({
  kind: 'word',
  label: word,
  detail: '',
  text: word === 'case' ? 'case when  then  else  end' : word,
  caretBack: word === 'case' ? ' then  else  end'.length : 0,
}));
const isSign = (operator: string): boolean => !/\w/u.test(operator);
/** What follows operators that are not followed by a value alone. */
const afterOperator: Readonly<Record<string, string>> = { in: '()', between: ' and ', is: 'null' };
const operators: readonly Suggestion[] = [...formulaOperators, 'where'].map((operator) => {
  const after = afterOperator[operator] ?? '';
  const caretBack = operator === 'in' ? 1 : operator === 'between' ? after.length : 0;
  return { kind: 'operator', label: operator, detail: '', text: ` ${operator} ${after}`, caretBack };
});

/** Returns how well a name matches what was typed: 0 begins so, 1 has a word that does, 2 contains it; null if not. */
function rank(label: string, typed: string): number | null {
  const name = fold(label);
  if (name.startsWith(typed)) return 0;
  const at = name.indexOf(typed);
  if (at < 0) return null;
  return /[\p{L}\p{N}]/u.test(name.charAt(at - 1)) ? 2 : 1;
}

const matching = (suggestions: readonly Suggestion[], typed: string): readonly Suggestion[] =>
  suggestions
    .flatMap((suggestion) => {
      const own = rank(suggestion.label, typed);
      return own === null ? [] : [{ suggestion, own }];
    })
    .toSorted((left, right) => left.own - right.own)
    .map(({ suggestion }) => suggestion);

/** Returns the word at the end of a text; empty if it ends with something else. */
function wordBefore(text: string): string {
  const characters = Array.from(text);
  const last = characters.findLastIndex((character) => !wordSign.test(character));
  return characters.slice(last + 1).join('');
}

/**
 * Returns what can stand at the caret of a formula; null if there is nothing to suggest.
 * @param caret Offset in the shown text.
 * @param isRequested True if the person has asked for the list, so that it opens without a letter too.
 */
export function completionAt(
  text: FormulaText,
  caret: number,
  columns: readonly SuggestedColumn[],
  isRequested: boolean,
): Completion | null {
  const before = text.shown.slice(0, caret);
  const place = formulaPlace(text.stored, text.toStored(caret));
  const columnSuggestions = columns.map(({ name, datasetName }): Suggestion => ({
    kind: 'column',
    label: name,
    detail: datasetName,
    text: `{${name}}`,
    caretBack: 0,
  }));
  const listed = (suggestions: readonly Suggestion[], start: number): Completion | null =>
    suggestions.length === 0 ? null : { suggestions: suggestions.slice(0, maxSuggestions), start, end: caret };

  const isInText = place.piece !== null && /^['"]/u.test(text.stored.charAt(place.piece.at));
  const takes = place.call?.of.parameters[place.call.argument]?.takes;
  if (takes === 'unit') {
    const start = isInText && place.piece !== null ? text.toShown(place.piece.at) : caret;
    const typed = fold(text.shown.slice(start, caret).replaceAll(/['"]/gu, ''));
    const units = formulaUnits.map((unit): Suggestion => ({
      kind: 'unit',
      label: unit,
      detail: '',
      text: `'${unit}'`,
      caretBack: 0,
    }));
    if (isInText || (isRequested && !place.isAfterValue)) return listed(matching(units, typed), start);
  }
  if (isInText) return null;
  const brace = before.lastIndexOf('{');
  if (brace > before.lastIndexOf('}')) return listed(matching(columnSuggestions, fold(before.slice(brace + 1))), brace);

  const word = wordBefore(before);
  const isNumber = /^\p{N}/u.test(word);
  if (isNumber || (word === '' && !isRequested)) return null;
  const start = caret - word.length;
  const typed = fold(word);
  if (place.isAfterValue) {
    const spaced = before.slice(0, start).endsWith(' ');
    const offered = operators
      .filter(({ label }) => label !== 'where' || place.isAggregated)
      .filter(({ label }) => word === '' || !isSign(label))
      .map((operator) => (spaced ? { ...operator, text: operator.text.trimStart() } : operator));
    return listed(matching(offered, typed), start);
  }
  const aggregates = functions.filter(({ label }) => aggregateNames.has(label));
  const others = functions.filter(({ label }) => !aggregateNames.has(label));
  // A measure has its columns in aggregates, and no aggregate stands in another one.
  const offered = place.isAggregated
    ? [...columnSuggestions, ...others, ...words]
    : [...aggregates, ...columnSuggestions, ...others, ...words];
  return listed(matching(offered, typed), start);
}
