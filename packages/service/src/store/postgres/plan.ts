import { postgresDialect } from './dialect.ts';
import type { planTexts } from './plan-text.ts';
import type { RowInsert, Sql, Value } from '../sql.ts';
import type { Perform, Row, Transaction } from '../store.ts';

/** A whole transaction that expects one row at most and adds others, as one statement. */
export interface Plan<Answer> {
  readonly statement: { readonly text: string; readonly values: readonly Value[] };
  readonly answer: Answer;
}

const needsTransaction = new Error('asked what only a transaction can tell');

/** Notes what a piece of work reads and adds, and stops it where it does anything else. */
class PlanningTransaction implements Transaction {
  readonly dialect = postgresDialect;
  readonly added: { readonly inserts: RowInsert; readonly values: readonly Value[] }[] = [];
  guard: Sql | undefined;
  /** Whether it asked what only a transaction can tell. */
  stopped = false;

  async rows(statement: Sql): Promise<readonly Row[]> {
    const expected = statement.hints?.expected;
    if (expected === undefined || this.guard !== undefined) return this.#stop();
    this.guard = statement;
    return [expected];
  }

  async run({ hints, values }: Sql): Promise<number> {
    const inserts = hints?.inserts;
    if (inserts === undefined) return this.#stop();
    this.added.push({ inserts, values });
    return 1;
  }

  #stop(): never {
    this.stopped = true;
    throw needsTransaction;
  }
}

/**
 * Carries a command out on paper: what it expects to read is taken as read, and what it adds is noted. Null where it needs
 * to read or change anything else, or undoes: that takes a transaction. Raises what the work itself raises.
 */
export async function plan<Command, Answer>(
  perform: Perform<Command, Answer>,
  command: Command,
  textOf: ReturnType<typeof planTexts>,
): Promise<Plan<Answer> | null> {
  const planning = new PlanningTransaction();
  try {
    const { commit, answer } = await perform(planning, command);
    const { added, guard, stopped } = planning;
    if (stopped || !commit || added.length === 0) return null;
    const text = textOf(
      guard,
      added.map(({ inserts }) => inserts),
    );
    const expected = guard === undefined ? [] : [...guard.values, ...Object.values(guard.hints?.expected ?? {})];
    return { statement: { text, values: [...expected, ...added.flatMap(({ values }) => values)] }, answer };
  } catch (error) {
    // Whatever came of it: the work was stopped, and a transaction is to do it.
    if (planning.stopped) return null;
    throw error;
  }
}
