import { columnsOfCondition, type Plan, type Quantity } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { quote, unread } from '../read/unread.ts';
import type { UnderstoodQuestion } from '../understand.ts';
import { wordsOf, type Word } from '../vocabulary/words.ts';
import { chosenDate, condition, explanationOf, leftConditions, maxQuotes, readAs, type Explanation } from './notes.ts';
import type { Note, SearchState } from './sentences.ts';
import { nameIn } from './titles.ts';

/** What a provider's chart has of a question. */
export interface ProviderReading {
  readonly plan: Plan;
  /** Words of the question that the provider says it left out. */
  readonly unread: readonly string[];
  /** Values of the question that no condition of the chart has, as they are quoted. */
  readonly droppedValues: readonly string[];
  /** Values of the chart that the question writes in other words. */
  readonly ownValues: readonly string[];
}

const partsOf = ({ column, computed }: Quantity): readonly (number | null)[] => {
  if (computed === undefined || computed.kind === 'rate' || computed.kind === 'percentile') return [column];
  if (computed.kind === 'during') return [column, computed.time, ...partsOf(computed.of)];
  return [column, ...partsOf(computed.of), ...partsOf(computed.to)];
};

const columnsOf = (columns: readonly (number | null)[]): ReadonlySet<number> =>
  new Set(columns.filter((column) => column !== null));

/** Returns the columns that a plan draws. */
const drawnIn = ({ groups, legend, quantities, across }: Plan): ReadonlySet<number> =>
  columnsOf([
    ...[...groups, ...(legend === null ? [] : [legend])].map(({ column }) => column),
    ...[...quantities, ...(across === null ? [] : [across])].flatMap(partsOf),
  ]);

/** Returns the columns that a plan draws or has conditions on. */
const columnsIn = (plan: Plan): ReadonlySet<number> =>
  columnsOf([...drawnIn(plan), ...plan.conditions.flatMap(columnsOfCondition)]);

const isDuring = ({ computed }: Quantity): boolean => computed?.kind === 'during';

/** Returns the words of conditions that the built-in reader found in the question, and that the chart does not have. */
function droppedConditions(
  { spans, comparison, bounds, stated }: UnderstoodQuestion,
  { plan, droppedValues }: ProviderReading,
): readonly string[] {
  const hasSpan = plan.conditions.some(({ kind }) => kind === 'span') || plan.quantities.some(isDuring);
  const hasBound = plan.limit !== null || plan.conditions.some(({ kind }) => kind === 'bound' || kind === 'groupBound');
  return [
    ...droppedValues,
    ...((spans.length > 0 || comparison !== null) && !hasSpan ? stated.spans : []),
    ...(bounds.length > 0 && !hasBound ? stated.bounds : []),
  ];
}

/**
 * Returns the words that the chart does not use by what the built-in reader knows. Those that the provider did not leave
 * out stand for what it draws besides.
 */
function remainingNotes(
  profile: Profile,
  { reading, language }: UnderstoodQuestion,
  provided: ProviderReading,
  search: SearchState,
): readonly Note[] {
  const { words } = reading;
  const usedColumns = columnsIn(provided.plan);
  const leftOut = new Set(provided.unread.flatMap((text) => wordsOf(text)).map(({ text }) => text));
  const ranges = unread(profile, reading, language, (column) => usedColumns.has(column));
  const named = new Set(reading.mentions.flatMap(({ options }) => options.map(({ column }) => column)));
  const hasGrain = reading.grain !== null;
  const unnamed = [...drawnIn(provided.plan)].filter(
    (column) => !named.has(column) && !(hasGrain && profile.columns[column]?.type === 'datetime'),
  );
  const meanings = [...unnamed.map((column) => nameIn(profile, column, language)), ...provided.ownValues];
  const isLeftOut = (word: Word | undefined): boolean => word !== undefined && leftOut.has(word.text);
  const isRead = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
    meanings.length > 0 && !words.slice(start, end).some(isLeftOut);
  const quotesOf = (wanted: typeof ranges): readonly string[] =>
    [...new Set(wanted.map((range) => quote(words, range)))].slice(0, maxQuotes);
  const readQuotes = quotesOf(ranges.filter(isRead));
  const unreadQuotes = quotesOf(ranges.filter((range) => !isRead(range)));
  return [
    ...(readQuotes.length === 0 ? [] : [{ kind: 'readAs', quotes: readQuotes, names: meanings } as const]),
    ...(unreadQuotes.length === 0 ? [] : [{ kind: 'unread', quotes: unreadQuotes, search } as const]),
  ];
}

/**
 * Explains a chart of a provider in the language of the question: what it assumes, and what it leaves out. The sentences
 * have no text of the provider.
 */
export function providerNotes(
  profile: Profile,
  question: UnderstoodQuestion,
  provided: ProviderReading,
  search: SearchState,
): Explanation {
  const { reading, language, isCut } = question;
  const { plan, ownValues } = provided;
  const name = (column: number): string => nameIn(profile, column, language);
  const dropped = droppedConditions(question, provided);
  const usedColumns = columnsIn(plan);
  const spokenMentions = reading.mentions.filter(({ filtered, ordering }) => !filtered && !ordering);
  const found: readonly (Note | null)[] = [
    ...leftConditions(profile, plan, language),
    chosenDate(profile, reading, plan, name),
    dropped.length > 0 ? { kind: 'condition', names: [], quotes: dropped.slice(0, maxQuotes) } : null,
    // A condition that the built-in reader does not understand may be one that the provider wrote in other words.
    ownValues.length > 0 ? null : condition(reading, usedColumns, name),
    ...readAs(profile, reading, spokenMentions, usedColumns, name),
    ...remainingNotes(profile, question, provided, search),
    isCut ? { kind: 'cut' } : null,
  ];
  return explanationOf(
    found.filter((note) => note !== null),
    language,
  );
}
