import { isFilterType, isDataItemType, type DataItemType } from '@inlay/contract';
import { choose } from './decide/choose.ts';
import { isSingleNumber } from './decide/families.ts';
import type { ChartDataset } from './dataset.ts';
import { asksForFilter, chooseFilter } from './decide/filters.ts';
import {
  compared,
  eitherCondition,
  formulaIn,
  isPeriod,
  spanConditions,
  timeOf,
  withBoundGroups,
  withBoundQuantity,
  withComparedValues,
  withConditions,
  withoutConditions,
} from './decide/conditions.ts';
import { valuesOf, type Condition, type EitherCondition, type Plan, type Quantity } from './plan.ts';
import type { Profile } from './profile.ts';
import type { ComparisonClause } from './read/conditions/clauses.ts';
import type { QuestionReading } from './read/reading.ts';
import { countedGroup } from './formula/counted-group.ts';
import type { ConditionClause } from './read/filters/alternatives.ts';
import { quote } from './read/unread.ts';
import { noValues, type FoundValues } from './values/found-values.ts';
import { goesOn, revise } from './decide/revise.ts';
import { profileOf, recentMessages, understand, type Conversation, type UnderstoodQuestion } from './understand.ts';
import { notes, notesOf } from './write/notes.ts';
import type { SearchState } from './write/sentences.ts';
import { faultsOf } from './write/plan-faults.ts';
import { alternativesTo, suggest } from './decide/suggest.ts';

/** The requested item: a chart or filter of whichever type fits, or an item of a specific type. */
export type RequestedKind = 'chart' | 'filter' | DataItemType;

/** A request to the engine. */
export interface Ask extends Conversation {
  readonly requested: RequestedKind;
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

/** Returns how far values were searched. */
export const searchState = (found: FoundValues): SearchState =>
  found === noValues ? 'none' : found.isComplete ? 'all' : 'some';

/** Notes conditions that an item cannot have. */
const withUnapplied = (plan: Plan, quotes: readonly string[]): Plan =>
  quotes.length === 0 ? plan : { ...plan, assumed: [...plan.assumed, { kind: 'unapplied', quotes }] };

/** Notes the "top 3" of a question whose chart is a single number, and so has nothing to choose from. */
const withLimitNoted = (plan: Plan, { limit, words }: QuestionReading): Plan =>
  limit === null || !isSingleNumber(plan.type)
    ? plan
    : { ...withUnapplied(plan, [quote(words, limit.taken)]), limit: null };

/** Leaves out and notes the bounds on groups of a chart that has no groups, as when the noun of the group is unknown. */
function withBoundsNoted(plan: Plan, { stated }: UnderstoodQuestion): Plan {
  const conditions = plan.conditions.filter(({ kind }) => kind !== 'groupBound');
  const isOfNothing = plan.groups.length === 0 && plan.legend === null && conditions.length < plan.conditions.length;
  return isOfNothing
    ? withUnapplied(
        { ...plan, conditions },
        stated.bounds.map((bound) => bound.quote),
      )
    : plan;
}

/** Returns the conditions of a question as it states them. */
const quotesOf = ({ stated, values }: UnderstoodQuestion): readonly string[] => [
  ...stated.spans,
  ...stated.bounds.map((bound) => bound.quote),
  ...values.flatMap(valuesOf),
];

/** A question without the conditions that it joins by "or", and these. */
interface SplitQuestion {
  readonly question: UnderstoodQuestion;
  readonly either: readonly EitherCondition[];
  /** Conditions that cannot be joined, as the question states them. */
  readonly left: readonly string[];
}

/** Takes the conditions of which one suffices out of a question. Of several to leave out, none may hold: they stay. */
function splitAlternatives(stated: UnderstoodQuestion, time: number | null): SplitQuestion {
  const joined = stated.alternatives.filter(({ excluded }) => excluded !== 'all');
  const taken = new Set(joined.flatMap(({ clauses }) => clauses));
  const isSingle = (clause: ConditionClause | undefined): boolean => clause === undefined || !taken.has(clause);
  const readings = joined.map(({ clauses, excluded, quote: words }) => ({
    condition: excluded === 'none' ? eitherCondition(clauses, time) : null,
    words,
  }));
  const question = {
    ...stated,
    values: stated.values.filter(isSingle),
    bounds: stated.bounds.filter(isSingle),
    spans: stated.spans.filter(isSingle),
    stated: { ...stated.stated, spans: stated.stated.spans.filter((_, at) => isSingle(stated.spans[at])) },
  };
  return {
    question,
    either: readings.flatMap(({ condition }) => condition ?? []),
    left: readings.flatMap(({ condition, words }) => (condition === null ? [words] : [])),
  };
}

/** Returns a plan with the conditions and the comparison of a question. */
function conditioned(datasetProfile: Profile, plan: Plan, stated: UnderstoodQuestion): Plan {
  if (isFilterType(plan.type)) return withUnapplied(plan, quotesOf(stated));
  const time = timeOf(datasetProfile, stated.reading, plan);
  if (stated.isRemoval) return withStated(datasetProfile, plan, stated, time);
  const { question, either, left } = splitAlternatives(stated, time);
  return withConditions(withStated(datasetProfile, withUnapplied(plan, left), question, time), either);
}

const hasConditions = ({ values, bounds, spans }: UnderstoodQuestion): boolean =>
  values.length + bounds.length + spans.length > 0;

/** Returns a plan with the conditions of a question, all of which hold, and its comparison. */
function withStated(datasetProfile: Profile, plan: Plan, question: UnderstoodQuestion, time: number | null): Plan {
  const { reading, spans, comparison } = question;
  const { comparedColumn } = question;
  const shownPlan = comparedColumn === null ? plan : withComparedValues(plan, comparedColumn);
  const { plan: grouped, bounds } = withBoundGroups(shownPlan, question.bounds);
  const values = [...question.values, ...bounds];
  const countsRows = grouped.quantities.every(({ column, computed }) => column === null && computed === undefined);
  const shown = countsRows && !reading.counts ? withBoundQuantity(grouped, bounds) : grouped;
  if (question.isRemoval) return withoutConditions(shown, values, spans.length > 0);
  if (time === null) return withConditions(withUnapplied(shown, question.stated.spans), values, question.isAddition);
  const formula = formulaIn(datasetProfile, shown);
  const conditions = [...values, ...spanConditions(time, spans)];
  if (comparison === null) return withConditions(shown, conditions, question.isAddition);
  if (formula === null) return comparedPlan(datasetProfile, shown, time, comparison, question, values);
  const assumed = [...shown.assumed, { kind: 'wholeFormula', column: formula } as const];
  return withConditions({ ...shown, assumed }, conditions);
}

/** Returns a plan that compares two spans, with the other conditions of the question. */
function comparedPlan(
  datasetProfile: Profile,
  plan: Plan,
  time: number,
  comparison: ComparisonClause,
  { spans, stated }: UnderstoodQuestion,
  values: readonly Condition[],
): Plan {
  const periods = spans.filter(isPeriod);
  const named = comparison.current === null ? (periods[0] ?? null) : null;
  const further = spans.filter((clause) => !isPeriod(clause));
  // Both sides of a comparison take the place of a period.
  const lost = stated.spans.filter(
    (_, at) => spans[at] !== undefined && periods.includes(spans[at]) && spans[at] !== named,
  );
  const shown = compared(datasetProfile, plan, time, comparison, named);
  return withConditions(withUnapplied(shown, lost), [...values, ...spanConditions(time, further)]);
}

/** "Tyre changes in Bonn in October" only has conditions: the rows that meet them are counted. */
const counted = (understood: UnderstoodQuestion): QuestionReading =>
  hasConditions(understood) && !isMeaningful(understood.reading)
    ? { ...understood.reading, counts: true }
    : understood.reading;

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
  const fresh = (): readonly Plan[] => answer(datasetProfile, counted(understood), requested);
  const isFilterAsked = asksForFilter(reading) && !understood.isRemoval;
  const previousChart =
    history.length > 0 && (understood.isRemoval || goesOn(datasetProfile, reading)) && !isFilterAsked
      ? chartBefore(datasetProfile, history, requested, today, found)
      : null;
  const firstPlans = sound(
    previousChart === null ? fresh() : [revise(datasetProfile, previousChart, reading, hasConditions(understood))],
  );
  const plans = (firstPlans.length > 0 ? firstPlans : sound(initialPlans(datasetProfile, requested))).map((plan) =>
    withLimitNoted(
      withBoundsNoted(
        conditioned(datasetProfile, plan, { ...understood, isRemoval: understood.isRemoval && previousChart !== null }),
        understood,
      ),
      reading,
    ),
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

/** Finds the measure and the conditions in a text such as "revenue per guest in 2024". Reads no rows. */
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
  // A chart without a measure counts rows. Unless the text asks for their number, it names no measure.
  const isNamed = quantity.column !== null || quantity.computed !== undefined || reading.counts;
  const applied = new Set([...reading.applied, ...(counted?.words ?? [])]);
  const alone: Plan = { ...plan, groups: [], legend: null, across: null, quantities: [quantity] };
  const leftOut = [
    // A formula is one number, a comparison has several.
    ...(understood.comparison === null ? [] : understood.stated.spans.slice(-1)),
    ...comparedValues(understood),
    ...ideaOf(reading, quantity),
    ...leftOutOf(datasetProfile, { ...understood, reading: { ...reading, applied } }, alone, found),
  ];
  return {
    profile: datasetProfile,
    quantity: isNamed ? quantity : null,
    conditions: plan.conditions,
    leftOut: [...new Set(leftOut)],
  };
}

/** Returns the values that a text sets against each other. */
const comparedValues = ({ comparedColumn, values }: UnderstoodQuestion): readonly string[] =>
  comparedColumn === null ? [] : values.filter(({ column }) => column === comparedColumn).flatMap(valuesOf);

/** Returns the words that ask for a kind of chart, such as "growth" or "distribution", unless the measure is that share. */
function ideaOf({ chart, words }: QuestionReading, { computed }: Quantity): readonly string[] {
  const { kind } = chart;
  if (kind?.kind !== 'idea' || (kind.idea === 'share' && computed !== undefined)) return [];
  return [quote(words, kind.range)];
}

/** Returns the words of a text that its measure and conditions do not use. */
function leftOutOf(
  datasetProfile: Profile,
  { reading, language, isCut }: UnderstoodQuestion,
  measure: Plan,
  found: FoundValues,
): readonly string[] {
  const assumed = measure.assumed.filter(({ kind }) => kind === 'boundOfGroup' || kind === 'unapplied');
  const extent = { search: searchState(found), isCut };
  const stated = notesOf(datasetProfile, reading, { ...measure, assumed }, false, language, extent).flatMap((note) =>
    note.kind === 'unread' || note.kind === 'condition' ? note.quotes : note.kind === 'boundOfGroup' ? [note.name] : [],
  );
  const clauses = [reading.grain?.taken, reading.limit?.taken].filter((range) => range !== undefined);
  const quotes = [...stated, ...clauses.map((range) => quote(reading.words, range))];
  return [...new Set(quotes)].filter((text) => text !== '');
}

/** Returns the chart that results from the previous messages; null if there is none, or if they lead to a filter. */
export function chartBefore(
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
      plan = conditioned(datasetProfile, revise(datasetProfile, plan, reading, hasConditions(understood)), understood);
    else if (isMeaningful(reading)) {
      const [newPlan] = answer(datasetProfile, reading, requestedKind);
      plan = newPlan === undefined ? plan : conditioned(datasetProfile, newPlan, understood);
    }
  }
  return plan !== null && isFilterType(plan.type) ? null : plan;
}
