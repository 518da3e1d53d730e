import type { ChartDataset } from './dataset.ts';
import { addsValues, isRemovalWord, removesFilters } from './decide/filters.ts';
import type { BoundCondition, EmptyCondition, ValueCondition } from './plan.ts';
import { profile, type Profile } from './profile.ts';
import { firstWeekday } from './read/conditions/calendar.ts';
import type { BoundClause, ComparisonClause, SpanClause } from './read/conditions/clauses.ts';
import { findBounds } from './read/conditions/find-bounds.ts';
import { findComparison } from './read/conditions/find-comparison.ts';
import { findSpans, leftOut } from './read/conditions/find-spans.ts';
import {
  findAlternatives,
  type Alternatives,
  type ConditionClause,
  type PlacedClause,
} from './read/filters/alternatives.ts';
import { affirmativeTexts, affirmativeValues } from './read/filters/affirmative.ts';
import { excludingWords } from './read/filters/excluded.ts';
import { readBounds } from './read/filters/bounds.ts';
import { findFlags, type FlagClauses } from './read/filters/flags.ts';
import { findEmpty } from './read/filters/empty.ts';
import { namedFlags } from './read/filters/flag-names.ts';
import { findRate } from './read/filters/rates.ts';
import { findValues, valueTexts } from './read/filters/values.ts';
import type { Mention } from './read/find-mentions.ts';
import { mentionFinder, withRowNouns } from './read/mentions.ts';
import type { WordRange } from './read/phrase.ts';
import { read, type QuestionReading } from './read/reading.ts';
import { synonymRanges } from './read/synonyms.ts';
import { quote } from './read/unread.ts';
import { recent, type RecentMap } from '../store/recent.ts';
import type { FoundValues } from './values/found-values.ts';
import { inEnglish, languageOf } from './vocabulary/languages.ts';
import type { Language } from './vocabulary/question-languages.ts';
import { maxWords, wordsOf, type Word } from './vocabulary/words.ts';

/** A question with the messages before it, the oldest first, and the day on which it is asked. */
export interface Conversation {
  readonly question: string | null;
  readonly history: readonly string[];
  /** Such as `2024-03-01`. */
  readonly today: string;
}

const profiles = new WeakMap<ChartDataset, Profile>();

/** Returns the profile of a dataset. The profile is computed once for each metadata object. */
export function profileOf(dataset: ChartDataset): Profile {
  const datasetProfile = profiles.get(dataset) ?? profile(dataset);
  profiles.set(dataset, datasetProfile);
  return datasetProfile;
}

/** A question that was read: its conditions and comparison, the rest of its words, and the code of its language. */
export interface UnderstoodQuestion {
  readonly reading: QuestionReading;
  readonly language: Language;
  /** True if the question has more words than are read. */
  readonly isCut: boolean;
  readonly values: readonly (ValueCondition | EmptyCondition)[];
  readonly bounds: readonly BoundCondition[];
  /** The column whose values the question sets against each other; null if it has none. */
  readonly comparedColumn: number | null;
  readonly spans: readonly SpanClause[];
  readonly comparison: ComparisonClause | null;
  readonly stated: StatedConditions;
  /** True if the message takes filters away. */
  readonly isRemoval: boolean;
  /** Conditions of which one suffices. They are among `values`, `bounds` and `spans`. */
  readonly alternatives: readonly StatedAlternatives[];
  /** True if values of the message are added to those of the chart before. */
  readonly isAddition: boolean;
}

/** Conditions that a question joins by "or", and its words for them, cleaned for a quote. */
export interface StatedAlternatives {
  readonly clauses: readonly ConditionClause[];
  readonly excluded: Alternatives['excluded'];
  readonly quote: string;
}

/** A bound as the question states it. */
interface StatedBound {
  /** The words, cleaned for quotes. */
  readonly quote: string;
  readonly values: readonly number[];
  readonly isPercent: boolean;
}

/** The conditions of a question as it states them. */
interface StatedConditions {
  /** The words of its spans, in their order, and of its comparison behind them; cleaned for quotes. */
  readonly spans: readonly string[];
  /** All bounds, also those of which it is unclear what they are about. */
  readonly bounds: readonly StatedBound[];
}

/** Returns the code of the language of a question. */
export const languageOfQuestion = (datasetProfile: Profile, question: string): string =>
  languageOf(wordsOf(question), datasetProfile.named, datasetProfile.languages);

/** The words of a question without those of its spans, with the cues in English, and what the spans are. */
interface QuestionWords extends Pick<
  UnderstoodQuestion,
  'language' | 'isCut' | 'spans' | 'comparison' | 'stated' | 'isRemoval'
> {
  readonly typedWords: readonly Word[];
  readonly words: readonly Word[];
  readonly mentions: readonly Mention[];
  readonly typedBounds: readonly BoundClause[];
}

const isIn =
  (ranges: readonly WordRange[]) =>
  (at: number): boolean =>
    ranges.some(({ start, end }) => at >= start && at < end);

const recentQuestions = new WeakMap<Profile, RecentMap<string, QuestionWords>>();
const maxRecent = 64;

/** Returns the words of a question. They are needed before and after its values are looked up. */
export function wordsIn(datasetProfile: Profile, text: string, today: string): QuestionWords {
  const questions = recentQuestions.get(datasetProfile) ?? recent<string, QuestionWords>(maxRecent);
  recentQuestions.set(datasetProfile, questions);
  const key = `${today} ${text}`;
  const known = questions.get(key) ?? splitQuestion(datasetProfile, text, today);
  questions.set(key, known);
  return known;
}

function splitQuestion(datasetProfile: Profile, text: string, today: string): QuestionWords {
  const typedWords = wordsOf(text);
  const language = languageOf(typedWords, datasetProfile.named, datasetProfile.languages);
  const statedSpans = findSpans(typedWords, language, today, firstWeekday);
  const comparison = findComparison(typedWords, language, today, firstWeekday);
  const spanRanges = [...statedSpans, ...(comparison === null ? [] : [comparison])].map(({ range }) => range);
  const isCondition = isIn(spanRanges);
  const rest = typedWords.filter((_, at) => !isCondition(at));
  const isName = isIn(synonymRanges(datasetProfile, rest));
  const translated = withRowNouns(datasetProfile, inEnglish(rest, language, isName));
  const { spans, taken } = withExcludedRows(datasetProfile, translated, statedSpans);
  const words = translated.filter((_, at) => !isIn(taken)(at));
  const typedBounds = findBounds(typedWords, language).filter((clause) => !isCondition(clause.range.start));
  const { mentions } = mentionFinder(datasetProfile, words)();
  const isCut = typedWords.length === maxWords;
  const isRemoval = removesFilters(typedWords);
  const stated = {
    spans: spanRanges.map((range) => quote(typedWords, range)),
    bounds: typedBounds.map(({ range, values, percent }) => ({
      quote: quote(typedWords, range),
      values,
      isPercent: percent,
    })),
  };
  return { typedWords, words, language, isCut, isRemoval, spans, comparison, stated, mentions, typedBounds };
}

/** Spans of a question, and the words that say which of them are left out. */
interface SpanExclusions {
  readonly spans: readonly SpanClause[];
  readonly taken: readonly WordRange[];
}

/** Leaves out spans after the rows that are excluded, as in "excluding bookings in December". */
function withExcludedRows(
  datasetProfile: Profile,
  words: readonly Word[],
  spans: readonly SpanClause[],
): SpanExclusions {
  const taken: WordRange[] = [];
  const read = spans.map((clause) => {
    const at = words.filter((word) => (word.at ?? Infinity) < clause.range.start).length;
    const isBeside = words[at - 1]?.at === clause.range.start - 1;
    const excluding = isBeside ? excludingWords(datasetProfile, words, [], at, () => false) : null;
    if (clause.excluded || excluding === null) return clause;
    taken.push(excluding);
    return leftOut(clause);
  });
  return { spans: read, taken };
}

/**
 * Reads a question with the values that were found for its words. Spans are read in the words as typed, values, bounds and
 * flags in those that are left, in which cues are in English, and the rest names columns. Ranges of words therefore count
 * in one of three lists: the typed words, the words without spans, and those of `reading`, without conditions.
 */
export function understand(
  datasetProfile: Profile,
  text: string,
  today: string,
  found: FoundValues,
): UnderstoodQuestion {
  const { typedWords, words, mentions, typedBounds, ...question } = wordsIn(datasetProfile, text, today);
  const { language } = question;
  const affirmative = affirmativeValues(datasetProfile, found);
  const isFlag = (column: number): boolean => affirmative(column).length > 0;
  const named = namedFlags(datasetProfile, words, mentions, affirmative);
  const rate = findRate(datasetProfile, words, mentions, named, affirmative);
  const isRated = isIn(rate === null ? [] : [rate.range]);
  const {
    conditions,
    places,
    measure: shareOfValue,
    compared: comparedColumn,
    taken,
    excludedRows,
  } = findValues(datasetProfile, words, mentions, language, found, isFlag, isRated);
  const bounds = readBounds(datasetProfile, words, mentions, typedBounds, language, excludedRows);
  const measure = rate?.quantity ?? shareOfValue;
  // The clauses of English questions know the words of bounds, and tell by them which columns are drawn.
  const isMeasured = isIn(rate?.taken ?? []);
  const further = named.filter(({ start }) => !isMeasured(start));
  const flags =
    shareOfValue === null ? findFlags(datasetProfile, words, further, affirmative, language, isRated) : noFlags;
  const filtered = new Set([...conditions, ...flags.conditions].map(({ column }) => column));
  const empty = findEmpty(datasetProfile, words, mentions, isFlag).filter(
    ({ condition }) => !filtered.has(condition.column),
  );
  const isCondition = isIn([
    ...empty.map(({ range }) => range),
    ...(rate?.taken ?? []),
    ...taken,
    ...flags.taken,
    ...(language === 'en' ? bounds.trailing : bounds.taken),
  ]);
  const rest = words.filter((_, at) => !isCondition(at));
  const removed = question.isRemoval ? words.filter(({ text }) => isRemovalWord(text)) : [];
  const applied = new Set([...bounds.applied, ...removed]);
  const restReading = read(datasetProfile, rest, affirmative, measure);
  const rowNouns = bounds.rowNouns.map((range) => quote(words, range));
  const reading = { ...restReading, applied, rowNouns, counts: restReading.counts || flags.countsRows };
  const placed: readonly PlacedClause[] = [
    ...question.spans.map((clause) => ({ clause, range: clause.range, isExcluded: clause.excluded })),
    ...bounds.conditions.flatMap((clause, at) => placedAt(clause, bounds.places[at], bounds.places[at]?.isExcluded)),
    ...conditions.flatMap((clause, at) => placedAt(clause, typedRange(words, places[at]), clause.isExcluded)),
    ...empty.flatMap(({ condition, range }) => placedAt(condition, typedRange(words, range), condition.isExcluded)),
    ...flags.conditions.flatMap((clause, at) =>
      placedAt(clause, typedRange(words, flags.taken[at]), clause.isExcluded),
    ),
  ];
  const alternatives = findAlternatives(typedWords, language, placed).map(({ clauses, excluded, range }) => ({
    clauses,
    excluded,
    quote: quote(typedWords, range),
  }));
  return {
    ...question,
    reading,
    alternatives,
    values: [...conditions, ...flags.conditions, ...empty.map(({ condition }) => condition)],
    comparedColumn,
    isAddition: addsValues(words),
    bounds: bounds.conditions,
  };
}

const placedAt = (
  clause: ConditionClause,
  range: WordRange | null | undefined,
  isExcluded = false,
): readonly PlacedClause[] => (range === undefined || range === null ? [] : [{ clause, range, isExcluded }]);

/** Returns where words stand in the question as it was typed; null if they do not. */
function typedRange(words: readonly Word[], range: WordRange | undefined): WordRange | null {
  const places = words.slice(range?.start ?? 0, range?.end ?? 0).flatMap(({ at }) => at ?? []);
  return places.length === 0 ? null : { start: Math.min(...places), end: Math.max(...places) + 1 };
}

const noFlags: FlagClauses = { conditions: [], taken: [], countsRows: false };

/** Maximum number of words of all earlier messages together. */
const maxHistoryWords = 150;

/** Returns the newest messages of a conversation that are not too long together, the oldest first. */
export function recentMessages(history: readonly string[]): readonly string[] {
  const messages: string[] = [];
  let words = 0;
  for (const message of history.slice(-20).toReversed()) {
    words += wordsOf(message).length;
    if (words > maxHistoryWords) break;
    messages.unshift(message);
  }
  return messages;
}

/** Returns the texts of a question, and of the messages before it, that may name values of rows. */
export function textsToLookUp(dataset: ChartDataset, { question, history, today }: Conversation): readonly string[] {
  const datasetProfile = profileOf(dataset);
  const texts = [...recentMessages(history), question ?? ''].flatMap((text) => {
    const { words, language, mentions } = wordsIn(datasetProfile, text, today);
    return valueTexts(datasetProfile, words, mentions, language);
  });
  return question === null ? [] : [...new Set([...texts, ...affirmativeTexts])];
}
