import { postgresDialect } from './dialect.ts';
import type { planTexts } from './plan-text.ts';
import type { RowInsert, Sql, Value } from '../sql.ts';
import type { Perform, Row, Transaction } from '../store.ts';

/** A transaction that expects at most one row and inserts others, as a single statement. */
export interface Plan<Answer> {
  readonly statement: { readonly text: string; readonly values: readonly Value[] };
  readonly answer: Answer;
}

const needsTransaction = new Error('asked what only a transaction can tell');

/** Records the reads and inserts of a command, and stops it at any other operation. */
class PlanningTransaction implements Transaction {
  readonly dialect = postgresDialect;
  readonly added: { readonly inserts: RowInsert; readonly values: readonly Value[] }[] = [];
  guard: Sql | undefined;
  /** True if the command needs a real transaction. */
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
 * Dry-runs a command to derive its plan: assumes that expected rows exist, and records inserts. Returns null if the
 * command reads or changes anything else, or rolls back; then it needs a transaction. Raises what the command raises.
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
    // Ignore the error: the command was stopped and will run in a transaction.
    if (planning.stopped) return null;
    throw error;
  }
}
