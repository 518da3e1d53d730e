import { isFilterType, isDataItemType, type DataItemType } from '@inlay/contract';
import { choose } from './decide/choose.ts';
import type { ChartDataset } from './dataset.ts';
import { asksForFilter, chooseFilter } from './decide/filters.ts';
import type { Plan } from './decide/hypothesis.ts';
import { inEnglish, languageOf } from './vocabulary/languages.ts';
import { profile, type Profile } from './profile.ts';
import { read, type QuestionReading } from './read/reading.ts';
import { goesOn, revise } from './decide/revise.ts';
import { notes } from './write/notes.ts';
import { faultsOf } from './write/plan-faults.ts';
import { suggest } from './decide/suggest.ts';
import { wordsOf } from './vocabulary/words.ts';

/** The requested item: a chart or filter of whichever type fits, or an item of a specific type. */
export type RequestedKind = 'chart' | 'filter' | DataItemType;

/** A request to the engine. `history` contains the previous messages, the oldest first. */
export interface Ask {
  readonly requested: RequestedKind;
  readonly question: string | null;
  readonly history: readonly string[];
}

/** The answer of the engine: at most three different plans, the best first, and the assumptions. */
export interface Suggestion {
  readonly profile: Profile;
  readonly plans: readonly Plan[];
  /** The assumptions in sentences; null if there are none. */
  readonly message: string | null;
}

/** Returns what the `type` of a request asks for. */
export const requestedKindOf = (type: string): RequestedKind =>
  type === 'filter' || type === 'generate-filter' ? 'filter' : isDataItemType(type) ? type : 'chart';

const profiles = new WeakMap<ChartDataset, Profile>();

/** Returns the profile of a dataset. The profile is computed once for each metadata object. */
function profileOf(dataset: ChartDataset): Profile {
  const datasetProfile = profiles.get(dataset) ?? profile(dataset);
  profiles.set(dataset, datasetProfile);
  return datasetProfile;
}

function understand(datasetProfile: Profile, text: string): QuestionReading {
  const words = wordsOf(text);
  return read(datasetProfile, inEnglish(words, languageOf(words, datasetProfile.named)));
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
export function ask(dataset: ChartDataset, { requested, question, history }: Ask): Suggestion {
  const datasetProfile = profileOf(dataset);
  const sound = (plans: readonly Plan[]): readonly Plan[] =>
    plans.filter((plan) => faultsOf(datasetProfile, plan).length === 0);
  if (dataset.columns.length === 0) return { profile: datasetProfile, plans: [], message: null };
  if (question === null || question.trim() === '')
    return { profile: datasetProfile, plans: sound(initialPlans(datasetProfile, requested)), message: null };
  const reading = understand(datasetProfile, question);
  const fresh = (): readonly Plan[] => answer(datasetProfile, reading, requested);
  const previousChart =
    history.length > 0 && goesOn(datasetProfile, reading) && !asksForFilter(reading)
      ? chartBefore(datasetProfile, history, requested)
      : null;
  const firstPlans = sound(previousChart === null ? fresh() : [revise(datasetProfile, previousChart, reading)]);
  const plans = firstPlans.length > 0 ? firstPlans : sound(initialPlans(datasetProfile, requested));
  return {
    profile: datasetProfile,
    plans,
    message: notes(datasetProfile, reading, plans[0] ?? null, previousChart !== null),
  };
}

/** Returns the chart that results from the previous messages; null if there is none, or if they lead to a filter. */
function chartBefore(datasetProfile: Profile, history: readonly string[], requestedKind: RequestedKind): Plan | null {
  let plan: Plan | null = null;
  for (const message of history.slice(-20)) {
    const reading = understand(datasetProfile, message.slice(0, 500));
    if (plan !== null && goesOn(datasetProfile, reading)) plan = revise(datasetProfile, plan, reading);
    else if (isMeaningful(reading)) plan = answer(datasetProfile, reading, requestedKind)[0] ?? plan;
  }
  return plan !== null && isFilterType(plan.type) ? null : plan;
}
