import { isFilterType, isDataItemType, type DataItemType } from '@inlay/contract';
import { choose } from './decide/choose.ts';
import type { ChartDataset } from './dataset.ts';
import { asksForFilter, chooseFilter, isRemovalWord, removesFilters } from './decide/filters.ts';
import {
  compared,
  formulaIn,
  isFilterable,
  spanConditions,
  timeOf,
  withBoundGroups,
  withBoundQuantity,
  withComparedValues,
  withConditions,
  withoutConditions,
} from './decide/conditions.ts';
import type { BoundCondition, Condition, Plan, Quantity, ValueCondition } from './plan.ts';
import { inEnglish, languageOf } from './vocabulary/languages.ts';
import { profile, type Profile } from './profile.ts';
import { affirmativeTexts, affirmativeValues } from './read/filters/affirmative.ts';
import { findFlags, type FlagClauses } from './read/filters/flags.ts';
import type { ComparisonClause, SpanClause } from './read/conditions/clauses.ts';
import { languages } from './vocabulary/question-languages.ts';
import { readBounds, type TypedBound } from './read/filters/bounds.ts';
import { findBounds } from './read/conditions/find-bounds.ts';
import { findComparison } from './read/conditions/find-comparison.ts';
import { findSpans } from './read/conditions/find-spans.ts';
import type { Mention } from './read/find-mentions.ts';
import { mentionFinder, withRowNouns } from './read/mentions.ts';
import type { WordRange } from './read/phrase.ts';
import { read, type QuestionReading } from './read/reading.ts';
import { countedGroup } from './read/counted-group.ts';
import { quote } from './read/unread.ts';
import { synonymRanges } from './read/synonyms.ts';
import { findValues, valueTexts } from './read/filters/values.ts';
import { noValues, type FoundValues } from './values/found-values.ts';
import { goesOn, revise } from './decide/revise.ts';
import { notes, notesOf } from './write/notes.ts';
import type { SearchState } from './write/sentences.ts';
import { faultsOf } from './write/plan-faults.ts';
import { alternativesTo, suggest } from './decide/suggest.ts';
import { recent, type RecentMap } from '../store/recent.ts';
import { maxWords, wordsOf, type Word } from './vocabulary/words.ts';

/** The requested item: a chart or filter of whichever type fits, or an item of a specific type. */
export type RequestedKind = 'chart' | 'filter' | DataItemType;

/** A request to the engine. `history` contains the previous messages, the oldest first. */
export interface Ask {
  readonly requested: RequestedKind;
  readonly question: string | null;
  readonly history: readonly string[];
  /** The day of the question, such as `2024-03-01`. */
  readonly today: string;
}

/** The answer of the engine: at most three different plans, the best first, and the assumptions. */
export interface Suggestion {
  readonly profile: Profile;
  readonly plans: readonly Plan[];
  /** Code of the language of the question; null if there is no question. */
  readonly language: string | null;
  /** The assumptions in sentences; null if there are none. */
  readonly message: string | null;
  /** Other readings of a question that was not fully understood. */
  readonly alternatives: readonly Plan[];
}

/** Returns what the `type` of a request asks for. */
export const requestedKindOf = (type: string): RequestedKind =>
  type === 'filter' || type === 'generate-filter' ? 'filter' : isDataItemType(type) ? type : 'chart';

/** Weeks begin on Monday. */
const weekStart = 1;

const profiles = new WeakMap<ChartDataset, Profile>();

/** Returns the profile of a dataset. The profile is computed once for each metadata object. */
function profileOf(dataset: ChartDataset): Profile {
  const datasetProfile = profiles.get(dataset) ?? profile(dataset);
  profiles.set(dataset, datasetProfile);
  return datasetProfile;
}

/** A question that was read: its conditions and comparison, the rest of its words, and the code of its language. */
interface UnderstoodQuestion {
  readonly reading: QuestionReading;
  readonly language: string;
  /** True if the question has more words than are read. */
  readonly isCut: boolean;
  readonly values: readonly ValueCondition[];
  readonly bounds: readonly BoundCondition[];
  /** The column whose values the question sets against each other; null if it has none. */
  readonly comparedColumn: number | null;
  readonly spans: readonly SpanClause[];
  readonly comparison: ComparisonClause | null;
  /** True if the message takes filters away. */
  readonly isRemoval: boolean;
}

/** Returns the code of the language of a question. */
export const languageOfQuestion = (datasetProfile: Profile, question: string): string =>
  languageOf(wordsOf(question), datasetProfile.named);

/** The words of a question without those of its spans, with the cues in English, and what the spans are. */
interface QuestionWords extends Pick<UnderstoodQuestion, 'language' | 'isCut' | 'spans' | 'comparison' | 'isRemoval'> {
  readonly words: readonly Word[];
  readonly mentions: readonly Mention[];
  readonly typedBounds: readonly TypedBound[];
}

const isIn =
  (ranges: readonly WordRange[]) =>
  (at: number): boolean =>
    ranges.some(({ start, end }) => at >= start && at < end);

const recentQuestions = new WeakMap<Profile, RecentMap<string, QuestionWords>>();
const maxRecent = 64;

/** Returns the words of a question. They are needed before and after its values are looked up. */
function wordsIn(datasetProfile: Profile, text: string, today: string): QuestionWords {
  const questions = recentQuestions.get(datasetProfile) ?? recent<string, QuestionWords>(maxRecent);
  recentQuestions.set(datasetProfile, questions);
  const key = `${today} ${text}`;
  const known = questions.get(key) ?? splitQuestion(datasetProfile, text, today);
  questions.set(key, known);
  return known;
}

function splitQuestion(datasetProfile: Profile, text: string, today: string): QuestionWords {
  const typedWords = wordsOf(text);
  const language = languageOf(typedWords, datasetProfile.named);
  const conditionLanguage = languages.find((known) => known === language) ?? 'en';
  const spans = findSpans(typedWords, conditionLanguage, today, weekStart);
  const comparison = findComparison(typedWords, conditionLanguage, today, weekStart);
  const isCondition = isIn([...spans, ...(comparison === null ? [] : [comparison])].map(({ range }) => range));
  const rest = typedWords.filter((_, at) => !isCondition(at));
  const isName = isIn(synonymRanges(datasetProfile, rest));
  const words = withRowNouns(datasetProfile, inEnglish(rest, language, isName));
  const typedBounds = findBounds(typedWords, conditionLanguage)
    .filter((clause) => !isCondition(clause.range.start))
    .map((clause) => ({ clause, typedWords }));
  const { mentions } = mentionFinder(datasetProfile, words)();
  const isCut = typedWords.length === maxWords;
  const isRemoval = removesFilters(typedWords);
  return { words, language, isCut, isRemoval, spans, comparison, mentions, typedBounds };
}

function understand(datasetProfile: Profile, text: string, today: string, found: FoundValues): UnderstoodQuestion {
  const { words, mentions, typedBounds, ...question } = wordsIn(datasetProfile, text, today);
  const { language } = question;
  const bounds = readBounds(datasetProfile, words, mentions, typedBounds);
  const {
    conditions,
    measure,
    compared: comparedColumn,
    taken,
  } = findValues(datasetProfile, words, mentions, language, found);
  // The clauses of English questions know the words of bounds, and tell by them which columns are drawn.
  const affirmative = affirmativeValues(datasetProfile, found);
  const flags = measure === null ? findFlags(datasetProfile, words, mentions, affirmative) : noFlags;
  const isCondition = isIn([...taken, ...flags.taken, ...(language === 'en' ? bounds.trailing : bounds.taken)]);
  const rest = words.filter((_, at) => !isCondition(at));
  const removed = question.isRemoval ? words.filter(({ text }) => isRemovalWord(text)) : [];
  const applied = new Set([...bounds.applied, ...removed]);
  const restReading = read(datasetProfile, rest, affirmative, measure);
  const reading = { ...restReading, applied, counts: restReading.counts || flags.countsRows };
  return {
    ...question,
    reading,
    values: [...conditions, ...flags.conditions],
    comparedColumn,
    bounds: bounds.conditions,
  };
}

const noFlags: FlagClauses = { conditions: [], taken: [], countsRows: false };

const searchState = (found: FoundValues): SearchState =>
  found === noValues ? 'none' : found.isComplete ? 'all' : 'some';

/** Returns a plan with the conditions and the comparison of a question. */
function conditioned(datasetProfile: Profile, plan: Plan, question: UnderstoodQuestion): Plan {
  if (isFilterType(plan.type)) return plan;
  const { reading, spans, comparison } = question;
  const { comparedColumn } = question;
  const shownPlan = comparedColumn === null ? plan : withComparedValues(plan, comparedColumn);
  const { plan: grouped, bounds } = withBoundGroups(shownPlan, question.bounds);
  const values = [...question.values, ...bounds];
  const countsRows = grouped.quantities.every(({ column, computed }) => column === null && computed === undefined);
  const shown = countsRows && !reading.counts ? withBoundQuantity(grouped, bounds) : grouped;
  if (question.isRemoval) return withoutConditions(shown, values, spans.length > 0);
  const time = timeOf(datasetProfile, reading, shown);
  if (time === null) return withConditions(shown, values);
  const formula = formulaIn(datasetProfile, shown);
  if (formula !== null) {
    const conditions = spanConditions(time, spans);
    const isWhole = comparison === null && conditions.every(isFilterable);
    const assumed = isWhole ? shown.assumed : [...shown.assumed, { kind: 'wholeFormula', column: formula } as const];
    return withConditions({ ...shown, assumed }, [...values, ...conditions.filter(isFilterable)]);
  }
  if (comparison !== null) return withConditions(compared(datasetProfile, shown, time, comparison, spans), values);
  return withConditions(shown, [...values, ...spanConditions(time, spans)]);
}

/** Maximum number of words of all earlier messages together. */
const maxHistoryWords = 150;

/** Returns the newest messages of a conversation that are not too long together, the oldest first. */
function recentMessages(history: readonly string[]): readonly string[] {
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
export function textsToLookUp(dataset: ChartDataset, { question, history, today }: Ask): readonly string[] {
  const datasetProfile = profileOf(dataset);
  const texts = [...recentMessages(history), question ?? ''].flatMap((text) => {
    const { words, language, mentions } = wordsIn(datasetProfile, text, today);
    return valueTexts(datasetProfile, words, mentions, language);
  });
  return question === null ? [] : [...new Set([...texts, ...affirmativeTexts])];
}

/** True if a question contains something that the engine can use. */
const isMeaningful = (reading: QuestionReading): boolean =>
  reading.mentions.some(({ filtered }) => !filtered) ||
  reading.counts ||
  reading.grain !== null ||
  (reading.limit !== null && reading.eachEntity) ||
  reading.onlyFiltered === false;

function answer(datasetProfile: Profile, reading: QuestionReading, requestedKind: RequestedKind): readonly Plan[] {
  if (requestedKind === 'filter' || (requestedKind === 'chart' && asksForFilter(reading)))
    return chooseFilter(datasetProfile, reading, null);
  if (requestedKind !== 'chart' && isFilterType(requestedKind))
    return chooseFilter(datasetProfile, reading, requestedKind);
  const type = requestedKind === 'chart' ? null : requestedKind;
  if (!isMeaningful(reading)) {
    const { kind } = reading.chart;
    const kindOfAnswer = type ?? (kind?.kind === 'type' ? kind.type : null);
    return initialPlans(datasetProfile, kindOfAnswer ?? 'chart').map((plan) => ({
      ...plan,
      limit: reading.limit?.count ?? null,
    }));
  }
  return choose(datasetProfile, reading, type);
}

/** Returns the plans with which an analyst would start, for a request without a usable question. */
function initialPlans(datasetProfile: Profile, requestedKind: RequestedKind): readonly Plan[] {
  if (requestedKind === 'filter') return chooseFilter(datasetProfile, null, null);
  if (requestedKind !== 'chart' && isFilterType(requestedKind))
    return chooseFilter(datasetProfile, null, requestedKind);
  const type = requestedKind === 'chart' ? null : requestedKind;
  return [0, 1, 2].map((nth) => suggest(datasetProfile, type, nth)).filter((plan) => plan !== null);
}

/**
 * Suggests charts or filters as an analyst would, from metadata alone. Reads no rows, sends nothing, and always gives
 * the same answer to the same request. The answer has no plans if no column of the dataset fits the request.
 */
export function ask(
  dataset: ChartDataset,
  { requested, question, history, today }: Ask,
  found: FoundValues = noValues,
): Suggestion {
  const datasetProfile = profileOf(dataset);
  const sound = (plans: readonly Plan[]): readonly Plan[] =>
    plans.filter((plan) => faultsOf(datasetProfile, plan).length === 0);
  const nothing = { profile: datasetProfile, plans: [], language: null, message: null, alternatives: [] };
  if (dataset.columns.length === 0) return nothing;
  if (question === null || question.trim() === '')
    return { ...nothing, plans: sound(initialPlans(datasetProfile, requested)) };
  const understood = understand(datasetProfile, question, today, found);
  const { reading, language, isCut } = understood;
  const fresh = (): readonly Plan[] => answer(datasetProfile, reading, requested);
  const isFilterAsked = asksForFilter(reading) && !understood.isRemoval;
  const previousChart =
    history.length > 0 && (understood.isRemoval || goesOn(datasetProfile, reading)) && !isFilterAsked
      ? chartBefore(datasetProfile, history, requested, today, found)
      : null;
  const firstPlans = sound(previousChart === null ? fresh() : [revise(datasetProfile, previousChart, reading)]);
  const plans = (firstPlans.length > 0 ? firstPlans : sound(initialPlans(datasetProfile, requested))).map((plan) =>
    conditioned(datasetProfile, plan, understood),
  );
  const [plan] = plans;
  const goesOnBefore = previousChart !== null;
  const { message, isUnsure } = notes(datasetProfile, reading, plan ?? null, goesOnBefore, language, {
    search: searchState(found),
    isCut,
  });
  const alternatives = isUnsure && plan !== undefined ? sound(alternativesTo(datasetProfile, plan)) : [];
  return { profile: datasetProfile, plans, language, message, alternatives };
}

/** The measure that a text asks for, and the conditions on its rows. */
export interface MeasureReading {
  readonly profile: Profile;
  /** Null if the text names no measure. */
  readonly quantity: Quantity | null;
  readonly conditions: readonly Condition[];
  /** Words of the text that the measure and its conditions do not use, such as a group. */
  readonly leftOut: readonly string[];
}

/** Reads a text that says what is computed, without a chart. Like a question, it needs no rows. */
export function readMeasure(
  dataset: ChartDataset,
  { question, today }: Pick<Ask, 'question' | 'today'>,
  found: FoundValues = noValues,
): MeasureReading {
  const datasetProfile = profileOf(dataset);
  const understood = understand(datasetProfile, question ?? '', today, found);
  const { reading } = understood;
  const [chart] = isMeaningful(reading) ? answer(datasetProfile, reading, 'chart') : [];
  const plan = chart === undefined || isFilterType(chart.type) ? null : conditioned(datasetProfile, chart, understood);
  const [drawn = null] = plan?.quantities ?? [];
  if (plan === null || drawn === null) return { profile: datasetProfile, quantity: null, conditions: [], leftOut: [] };
  const [group] = plan.groups;
  const counted = group === undefined ? null : countedGroup(reading, drawn, group.column);
  const quantity = counted?.quantity ?? drawn;
  // Rows that nobody asked to count are drawn where the text names no measure.
  const isNamed = quantity.column !== null || quantity.computed !== undefined || reading.counts;
  const applied = new Set([...reading.applied, ...(counted?.words ?? [])]);
  const alone: Plan = { ...plan, groups: [], legend: null, across: null, quantities: [quantity] };
  const leftOut = leftOutOf(datasetProfile, { ...understood, reading: { ...reading, applied } }, alone, found);
  return { profile: datasetProfile, quantity: isNamed ? quantity : null, conditions: plan.conditions, leftOut };
}

/** Returns the words of a text that its measure and conditions do not use. */
function leftOutOf(
  datasetProfile: Profile,
  { reading, language, isCut }: UnderstoodQuestion,
  measure: Plan,
  found: FoundValues,
): readonly string[] {
  const assumed = measure.assumed.filter(({ kind }) => kind === 'boundOfGroup');
  const extent = { search: searchState(found), isCut };
  const stated = notesOf(datasetProfile, reading, { ...measure, assumed }, false, language, extent).flatMap((note) =>
    note.kind === 'unread' || note.kind === 'condition' ? note.quotes : note.kind === 'boundOfGroup' ? [note.name] : [],
  );
  const clauses = [reading.grain?.taken, reading.limit?.taken].filter((range) => range !== undefined);
  const quotes = [...stated, ...clauses.map((range) => quote(reading.words, range))];
  return [...new Set(quotes)].filter((text) => text !== '');
}

/** Returns the chart that results from the previous messages; null if there is none, or if they lead to a filter. */
function chartBefore(
  datasetProfile: Profile,
  history: readonly string[],
  requestedKind: RequestedKind,
  today: string,
  found: FoundValues,
): Plan | null {
  let plan: Plan | null = null;
  for (const message of recentMessages(history)) {
    const understood = understand(datasetProfile, message, today, found);
    const { reading } = understood;
    if (plan !== null && (understood.isRemoval || goesOn(datasetProfile, reading)))
      plan = conditioned(datasetProfile, revise(datasetProfile, plan, reading), understood);
    else if (isMeaningful(reading)) {
      const [newPlan] = answer(datasetProfile, reading, requestedKind);
      plan = newPlan === undefined ? plan : conditioned(datasetProfile, newPlan, understood);
    }
  }
  return plan !== null && isFilterType(plan.type) ? null : plan;
}
