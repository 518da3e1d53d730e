import { formulaIn } from '../decide/conditions.ts';
import type { Assumption, Plan } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { isOfMeaning } from '../read/mentions.ts';
import type { CuedMention, QuestionReading } from '../read/reading.ts';
import type { WordRange } from '../read/phrase.ts';
import type { Word } from '../vocabulary/words.ts';
import { quote, unread } from '../read/unread.ts';
import { drawnColumns } from './drawn-columns.ts';
import { sentenceOf, type Note, type SearchState } from './sentences.ts';
import { placedConditions } from './placed-conditions.ts';
import { conditionText, nameIn } from './titles.ts';

/** What an answer says about itself. */
export interface Explanation {
  /** The sentences; null if there is nothing to say. */
  readonly message: string | null;
  /** True if something was assumed or not understood, so that other readings are worth showing. */
  readonly isUnsure: boolean;
}

/** Maximum number of quotes in a sentence. */
export const maxQuotes = 6;

/** How much of a question was read and searched. */
interface QuestionExtent {
  readonly search: SearchState;
  readonly isCut: boolean;
}

/**
 * Explains the assumptions behind an answer, and names all words that it does not use, in the language of the question.
 * The sentences quote only column names and cleaned words of the question.
 */
export function notes(
  profile: Profile,
  reading: QuestionReading,
  plan: Plan | null,
  goesOn: boolean,
  language: string,
  extent: QuestionExtent,
): Explanation {
  const stated =
    plan === null
      ? []
      : [...leftConditions(profile, plan, language), ...notesOf(profile, reading, plan, goesOn, language, extent)];
  return explanationOf(stated, language);
}

/**
 * Names the conditions that the item of a plan cannot have, such as weekdays of a scatter plot; the formula of the
 * dataset, if that is what cannot have them.
 */
export function leftConditions(profile: Profile, plan: Plan, language: string): readonly Note[] {
  const { left } = placedConditions(profile, plan);
  if (left.length === 0) return [];
  const formula = formulaIn(profile, plan);
  if (formula !== null) return [{ kind: 'wholeFormula', name: nameIn(profile, formula, language) }];
  return [{ kind: 'condition', names: [], quotes: left.map((each) => conditionText(profile, each, language)) }];
}

/** Writes notes as sentences. */
export function explanationOf(stated: readonly Note[], language: string): Explanation {
  const sentences = stated.map((note) => sentenceOf(note, language));
  return {
    message: sentences.length === 0 ? null : [...new Set(sentences)].join(' '),
    isUnsure: stated.some(({ kind }) => kind !== 'readAs' && kind !== 'date'),
  };
}

/** Returns the assumptions behind a plan, and the words that it does not use. */
export function notesOf(
  profile: Profile,
  reading: QuestionReading,
  plan: Plan,
  goesOn: boolean,
  language: string,
  { search, isCut }: QuestionExtent,
): readonly Note[] {
  const name = (column: number): string => nameIn(profile, column, language);
  const spokenMentions = reading.mentions.filter(({ filtered, ordering }) => !filtered && !ordering);
  const drawn = drawnColumns(plan);
  const usedColumns = new Set([...drawn, ...selectingColumns(plan.conditions)]);
  const isUnfit =
    spokenMentions.length === 0 && !reading.counts && reading.grain === null && !goesOn && reading.chart.kind === null;
  const found: readonly (Note | null)[] = [
    ...plan.assumed.map((assumption) => assumedNote(assumption, name)),
    isUnfit ? { kind: 'nothingFits' } : null,
    rival(spokenMentions, drawn, name),
    chosenDate(profile, reading, plan, name),
    condition(reading, usedColumns, name),
    ...readAs(profile, reading, spokenMentions, drawn, name),
    rowsNote(profile, reading, plan, language),
    ...boundRowsNotes(profile, reading, plan),
    unreadNote(profile, reading, usedColumns, language, search),
    isCut ? { kind: 'cut' } : null,
  ];
  return found.filter((note) => note !== null);
}

export type NameOf = (column: number) => string;

function assumedNote(assumption: Assumption, name: NameOf): Note {
  if (assumption.kind === 'secondNumber') return assumption;
  if (assumption.kind === 'unapplied') return { kind: 'condition', names: [], quotes: assumption.quotes };
  return { kind: assumption.kind, name: name(assumption.column) };
}

/**
 * Returns the times and texts on which a plan has conditions, as "started" in "started in 2023" and "class" in "class 3B"
 * name one.
 */
const selectingColumns = (conditions: Plan['conditions']): readonly number[] =>
  conditions.flatMap((condition) => {
    if (condition.kind === 'either') return selectingColumns(condition.of);
    return condition.kind !== 'bound' && condition.kind !== 'groupBound' ? [condition.column] : [];
  });

/** Names another column that fits the words of a drawn one as well. */
function rival(mentions: readonly CuedMention[], drawn: ReadonlySet<number>, name: NameOf): Note | null {
  for (const { options } of mentions) {
    const [firstOption, secondOption] = options;
    if (
      firstOption === undefined ||
      secondOption === undefined ||
      firstOption.strength >= 0.97 ||
      secondOption.strength < firstOption.strength * 0.9
    )
      continue;
    return drawn.has(firstOption.column)
      ? { kind: 'alsoFits', name: name(firstOption.column), other: name(secondOption.column) }
      : null;
  }
  return null;
}

/** Names the words that are only related in meaning to the columns that they were read as. */
export const readAs = (
  profile: Profile,
  { words }: QuestionReading,
  mentions: readonly CuedMention[],
  drawn: ReadonlySet<number>,
  name: NameOf,
): readonly Note[] =>
  mentions.flatMap((mention) => {
    const column = mention.options[0]?.column ?? -1;
    const typed = quote(words, mention);
    return typed !== '' && drawn.has(column) && isOfMeaning(profile, words, mention)
      ? [{ kind: 'readAs', quotes: [typed], names: [name(column)] }]
      : [];
  });

/** Names the time that was chosen if the dataset has several and the question names none. */
export function chosenDate(profile: Profile, reading: QuestionReading, plan: Plan, name: NameOf): Note | null {
  const time = plan.groups.find(({ column }) => profile.columns[column]?.type === 'datetime');
  const times = profile.columns.filter(({ type }) => type === 'datetime').length;
  if (time === undefined || times < 2 || (reading.hints.get(time.column) ?? 0) > 0) return null;
  const isMentioned = reading.mentions.some(({ options }) => options.some(({ column }) => column === time.column));
  return isMentioned ? null : { kind: 'date', name: name(time.column) };
}

/** Values without a digit or a capital: "above average", "more than once". */
const valueWords = new Set(['average', 'once', 'twice']);

const isValue = ({ kind, capital, text }: Word): boolean =>
  kind === 'number' || kind === 'quoted' || capital === true || valueWords.has(text);

/** Names the conditions that the chart does not have. */
export function condition(reading: QuestionReading, usedColumns: ReadonlySet<number>, name: NameOf): Note | null {
  const conditions = reading.mentions.filter(
    ({ filtered, options }) => filtered && options[0] !== undefined && !usedColumns.has(options[0].column),
  );
  const isApplied = ({ start, end }: WordRange): boolean =>
    reading.words.slice(start, end).some((word) => word.kind === 'number' && reading.applied.has(word));
  const statedRanges = mergeRanges(reading.filters).filter(
    (range) =>
      !isApplied(range) &&
      (reading.words.slice(range.start, range.end).some(isValue) ||
        conditions.some(({ start, end }) => start < range.end && range.start < end)),
  );
  if (statedRanges.length === 0) return null;
  const names = [...new Set(conditions.map(({ options }) => name(options[0]?.column ?? -1)))];
  return { kind: 'condition', names, quotes: statedRanges.map((range) => quote(reading.words, range)) };
}

/**
 * Says that rows are counted for a noun that may mean an amount: "milk" in a dataset called Milk. A plural, such as
 * "tickets", means rows.
 */
function rowsNote(profile: Profile, reading: QuestionReading, { quantities }: Plan, language: string): Note | null {
  const { words, mentions, counts } = reading;
  const isCounted = quantities.every(({ column, computed }) => column === null && computed === undefined);
  const hasAmounts = profile.columns.some(({ role, additive }) => role === 'amount' && additive);
  if (counts || !isCounted || !hasAmounts || language !== 'en') return null;
  const at = words.findIndex(
    ({ stem, text }, place) =>
      profile.entity.has(stem) &&
      !text.endsWith('s') &&
      !mentions.some(({ start, end }) => place >= start && place < end),
  );
  const name = Object.values(profile.dataset.name)[0] ?? '';
  return at < 0 ? null : { kind: 'rows', quote: quote(words, { start: at, end: at + 1 }), name };
}

/** Names the nouns for which a bound counts the rows of each group. */
function boundRowsNotes(profile: Profile, { rowNouns }: QuestionReading, { conditions }: Plan): readonly Note[] {
  const isApplied = conditions.some((one) => one.kind === 'groupBound' && one.column === null);
  const name = Object.values(profile.dataset.name)[0] ?? '';
  return isApplied ? rowNouns.map((noun) => ({ kind: 'rows', quote: noun, name })) : [];
}

function unreadNote(
  profile: Profile,
  reading: QuestionReading,
  usedColumns: ReadonlySet<number>,
  language: string,
  search: SearchState,
): Note | null {
  const ranges = unread(profile, reading, language, (column) => usedColumns.has(column));
  const quotes = [...new Set(ranges.map((range) => quote(reading.words, range)))];
  return quotes.length === 0 ? null : { kind: 'unread', quotes: quotes.slice(0, maxQuotes), search };
}

/** Merges ranges of words that overlap or are adjacent. */
function mergeRanges(ranges: readonly WordRange[]): readonly WordRange[] {
  const result: WordRange[] = [];
  for (const range of ranges.toSorted((left, right) => left.start - right.start)) {
    const lastRange = result.at(-1);
    if (lastRange !== undefined && range.start <= lastRange.end)
      result[result.length - 1] = { start: lastRange.start, end: Math.max(lastRange.end, range.end) };
    else result.push(range);
  }
  return result;
}
