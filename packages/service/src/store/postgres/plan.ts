import { postgresDialect } from './dialect.ts';
import type { planTexts } from './plan-text.ts';
import type { RowInsert, Sql, Value } from '../sql.ts';
import type { Perform, Row, Transaction } from '../store.ts';

/** A transaction as a single statement: it expects at most one row and inserts other rows. */
export interface Plan<Answer> {
  readonly statement: { readonly text: string; readonly values: readonly Value[] };
  readonly answer: Answer;
}

const needsTransaction = new Error('asked what only a transaction can tell');

/** Records the reads and inserts of a command. Stops the command at any other operation. */
class PlanningTransaction implements Transaction {
  readonly dialect = postgresDialect;
  readonly added: { readonly inserts: RowInsert; readonly values: readonly Value[] }[] = [];
  guard: Sql | undefined;
  /** True if the command was stopped, because it needs a real transaction. */
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
 * Derives the plan of a command by a dry run that assumes that expected rows exist and only records inserts. Returns
 * null if the command needs a transaction, because it reads or changes anything else or rolls back. Raises what the
 * command raises.
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
    // Ignores the error of a stopped command, which will run again in a transaction.
    if (planning.stopped) return null;
    throw error;
  }
}
