import type { Condition, Plan } from '../plan.ts';
import type { Profile } from '../profile.ts';
import type { WordRange } from '../read/phrase.ts';
import { quote, unread } from '../read/unread.ts';
import type { UnderstoodQuestion } from '../understand.ts';
import { wordsOf, type Word } from '../vocabulary/words.ts';
import { drawnColumns, usedColumns } from './drawn-columns.ts';
import {
  chosenDate,
  condition,
  explanationOf,
  leftConditions,
  maxQuotes,
  readAs,
  type Explanation,
  type NameOf,
} from './notes.ts';
import type { Note, SearchState } from './sentences.ts';
import { missingBounds, missingSpans } from './stated-conditions.ts';
import { conditionText, nameIn } from './titles.ts';

/** What a provider's chart has of a question. */
export interface ProviderReading {
  readonly plan: Plan;
  /** Words of the question that the provider says it left out. */
  readonly unread: readonly string[];
  /** Values of the question that no condition of the chart has, as they are quoted. */
  readonly droppedValues: readonly string[];
  /** Conditions on columns that say yes or no or that are empty, of which the chart has no condition. */
  readonly droppedFlags: UnderstoodQuestion['values'];
  /** Values of the chart that the question writes in other words. */
  readonly ownValues: readonly string[];
  /** Texts that the provider wrote for values, and that were not found. */
  readonly missingValues: readonly string[];
  /** The conditions kept of the messages before; null where these have nothing that may be lost. */
  readonly kept: readonly Condition[] | null;
  readonly today: string;
}

/** Returns the notes of conditions that the built-in reader found in the question, and that the chart does not have. */
function droppedNotes(question: UnderstoodQuestion, provided: ProviderReading, name: NameOf): readonly Note[] {
  const { plan, droppedValues, droppedFlags, today } = provided;
  const quotes = [...droppedValues, ...missingSpans(question, plan, today), ...missingBounds(question, plan)];
  return [
    ...(quotes.length === 0 ? [] : [{ kind: 'condition', names: [], quotes: quotes.slice(0, maxQuotes) } as const]),
    ...droppedFlags.map(
      (condition) =>
        ({
          kind: 'condition',
          names: [name(condition.column)],
          quotes: condition.kind === 'values' ? condition.values : [name(condition.column)],
        }) as const,
    ),
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
  const columns = usedColumns(provided.plan);
  const leftOut = new Set(
    [...provided.unread, ...provided.missingValues].flatMap((text) => wordsOf(text)).map(({ text }) => text),
  );
  const ranges = unread(profile, reading, language, (column) => columns.has(column));
  const named = new Set(reading.mentions.flatMap(({ options }) => options.map(({ column }) => column)));
  const hasGrain = reading.grain !== null;
  const unnamed = [...drawnColumns(provided.plan)].filter(
    (column) => !named.has(column) && !(hasGrain && profile.columns[column]?.type === 'datetime'),
  );
  const meanings = [...unnamed.map((column) => nameIn(profile, column, language)), ...provided.ownValues];
  const isLeftOut = ({ text }: Word): boolean => leftOut.has(text);
  // A number stands for no column.
  const isRead = ({ start, end }: WordRange): boolean =>
    meanings.length > 0 && words.slice(start, end).every((word) => word.kind !== 'number' && !isLeftOut(word));
  const quotesOf = (wanted: typeof ranges): readonly string[] =>
    [...new Set(wanted.map((range) => quote(words, range)))].slice(0, maxQuotes);
  const readQuotes = quotesOf(ranges.filter(isRead));
  const unreadQuotes = quotesOf(ranges.filter((range) => !isRead(range)));
  return [
    ...(readQuotes.length === 0 ? [] : [{ kind: 'readAs', quotes: readQuotes, names: meanings } as const]),
    ...(unreadQuotes.length === 0 ? [] : [{ kind: 'unread', quotes: unreadQuotes, search } as const]),
  ];
}

/** Tells which filters are left of the messages before, if these have words that the built-in reader does not know. */
function keptNote(profile: Profile, { plan, kept }: ProviderReading, language: string): Note | null {
  if (kept === null) return null;
  const inForce = kept.filter((condition) => plan.conditions.includes(condition));
  return { kind: 'kept', quotes: inForce.map((condition) => conditionText(profile, condition, language)) };
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
  const columns = usedColumns(plan);
  const spokenMentions = reading.mentions.filter(({ filtered, ordering }) => !filtered && !ordering);
  const found: readonly (Note | null)[] = [
    ...leftConditions(profile, plan, language),
    chosenDate(profile, reading, plan, name),
    ...droppedNotes(question, provided, name),
    // A condition that the built-in reader does not understand may be one that the provider wrote in other words.
    ownValues.length > 0 ? null : condition(reading, columns, name),
    ...readAs(profile, reading, spokenMentions, columns, name),
    ...remainingNotes(profile, question, provided, search),
    keptNote(profile, provided, language),
    isCut ? { kind: 'cut' } : null,
  ];
  return explanationOf(
    found.filter((note) => note !== null),
    language,
  );
}
