import { alternativesTo } from '../decide/suggest.ts';
import { ask, chartBefore, searchState, type Ask, type Suggestion } from '../engine.ts';
import type { ChartDataset } from '../dataset.ts';
import { withoutConditions } from '../decide/conditions.ts';
import { valuesOf, type Condition, type Plan } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { unread } from '../read/unread.ts';
import { recentMessages, understand, type UnderstoodQuestion } from '../understand.ts';
import type { FoundValue, FoundValues } from '../values/found-values.ts';
import { usedColumns } from '../write/drawn-columns.ts';
import { explanationOf } from '../write/notes.ts';
import { faultsOf } from '../write/plan-faults.ts';
import { providerNotes } from '../write/provider-notes.ts';
import type { Note } from '../write/sentences.ts';
import type { ColumnValue, FindValue } from './answer-context.ts';
import type { CheckedAnswer } from './check.ts';
import type { SentConversation } from './conversation.ts';

/** Looks texts up among the values that the caller may see. */
export type LookUp = (texts: readonly string[]) => Promise<FoundValues>;

/** What an answer is completed with. */
export interface AnswerOrigin {
  readonly dataset: ChartDataset;
  readonly profile: Profile;
  readonly query: Ask;
  readonly found: FoundValues;
  readonly sent: SentConversation;
  readonly lookUp: LookUp;
}

const lackNotes: Readonly<Record<NonNullable<CheckedAnswer['lack']>, Note>> = {
  number: { kind: 'lacksNumber' },
  group: { kind: 'lacksGroup' },
  time: { kind: 'lacksTime' },
  data: { kind: 'nothingFits' },
};

/** Returns the chart that says most about the dataset, for a question that it cannot answer. */
function withoutAnswer({ dataset, profile, query, found }: AnswerOrigin, note: Note): Suggestion {
  const { language } = understand(profile, query.question ?? '', query.today, found);
  const suggestion = ask(dataset, { ...query, question: null, history: [] }, found);
  const { message } = explanationOf([note], language);
  return { ...suggestion, language, message, alternatives: suggestion.plans.slice(1) };
}

/** Returns the value in a column; if that has none, a value of another column that is exactly the text. */
const preferred = (found: readonly FoundValue[], column: number): FoundValue | undefined =>
  found.find((value) => value.column === column) ?? found.find(({ distance }) => distance === 0);

/** Finds the values of an answer: by their signs, or among those that were looked up. Notes which ones it found. */
class AnswerValues {
  readonly #origin: AnswerOrigin;
  readonly #lookedUp: FoundValues;
  readonly #signs = new Set<string>();
  readonly #own = new Set<string>();
  readonly #missing = new Set<string>();

  constructor(origin: AnswerOrigin, lookedUp: FoundValues) {
    this.#origin = origin;
    this.#lookedUp = lookedUp;
  }

  readonly find: FindValue = (column, text) => {
    const { values } = this.#origin.sent;
    const signed = values.get(text);
    const value = preferred(signed?.found ?? this.#lookedUp.byText.get(text) ?? [], column);
    if (value === undefined) {
      this.#missing.add(text);
      return null;
    }
    // A value of the question may be written without its sign.
    const signs = signed === undefined ? [...values.values()].filter(({ found }) => isAmong(found, value)) : [signed];
    if (signs.length === 0) this.#own.add(value.value);
    for (const { sign } of signs) this.#signs.add(sign);
    return { column: value.column, value: value.value };
  };

  /** The values that the question has in other words. */
  own(): readonly string[] {
    return [...this.#own];
  }

  /** The texts that were not found. */
  missing(): readonly string[] {
    return [...this.#missing];
  }

  /** The values of the question that the answer does not have, as they are quoted. */
  dropped(): readonly string[] {
    const { question, values } = this.#origin.sent;
    return [...values.values()]
      .filter(({ sign, isNamed }) => isNamed && question.includes(sign) && !this.#signs.has(sign))
      .map(({ quote }) => quote);
  }

  /** The conditions on values of a question that have no sign, as on "yes" for "cancelled", and that a plan does not have. */
  droppedFlags({ values }: UnderstoodQuestion, plan: Plan): UnderstoodQuestion['values'] {
    const signed = [...this.#origin.sent.values.values()].flatMap(({ found }) => found);
    const used = usedColumns(plan);
    return values.filter(
      (condition) =>
        !used.has(condition.column) &&
        !valuesOf(condition).some((value) => isAmong(signed, { column: condition.column, value })),
    );
  }
}

const isAmong = (found: readonly FoundValue[], { column, value }: ColumnValue): boolean =>
  found.some((one) => one.column === column && one.value === value);

/** True if the messages before have words that the built-in reader does not use, which may be conditions. */
const mayLoseConditions = ({ profile, query, found }: AnswerOrigin): boolean =>
  recentMessages(query.history).some((message) => {
    const { reading, language } = understand(profile, message, query.today, found);
    return unread(profile, reading, language, () => true).length > 0;
  });

/** Returns the conditions of the chart before that a message does not take away. */
const keptConditions = (before: Plan, { isRemoval, values, bounds, spans }: UnderstoodQuestion): readonly Condition[] =>
  isRemoval ? withoutConditions(before, [...values, ...bounds], spans.length > 0).conditions : before.conditions;

/**
 * Completes the answer of a model: looks its values up, keeps the conditions of the chart before, and says what the chart
 * leaves out. If the chart cannot be drawn, the built-in engine answers.
 */
export async function complete(origin: AnswerOrigin, answer: CheckedAnswer): Promise<Suggestion> {
  const { dataset, profile, query, found, sent, lookUp } = origin;
  const { question, history, requested, today } = query;
  if (answer.lack !== null) return withoutAnswer(origin, lackNotes[answer.lack]);
  const unsigned = answer.values.filter((text) => !sent.values.has(text));
  const lookedUp = unsigned.length === 0 ? found : await lookUp(unsigned);
  const values = new AnswerValues(origin, lookedUp);
  const understood = understand(profile, question ?? '', today, found);
  const before = answer.isFollowUp ? chartBefore(profile, history, requested, today, found) : null;
  const kept = before === null ? [] : keptConditions(before, understood);
  const plan = answer.planWith(values.find, kept);
  if (plan === null) return ask(dataset, query, found);
  const { message, isUnsure } = providerNotes(
    profile,
    understood,
    {
      plan,
      today,
      unread: answer.unread,
      droppedValues: understood.isRemoval ? [] : values.dropped(),
      droppedFlags: understood.isRemoval ? [] : values.droppedFlags(understood, plan),
      ownValues: values.own(),
      missingValues: values.missing(),
      kept: answer.isFollowUp && mayLoseConditions(origin) ? kept : null,
    },
    searchState(found),
  );
  const isSound = (other: Plan): boolean => faultsOf(profile, other).length === 0;
  return {
    profile,
    plans: [plan],
    language: understood.language,
    message,
    alternatives: isUnsure ? alternativesTo(profile, plan).filter(isSound) : [],
  };
}
