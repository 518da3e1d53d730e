import { postgresDialect } from './postgres-dialect.ts';
import { join, list, name, render, sql, text, type Adding, type Sql, type Value } from './sql.ts';
import type { Perform, Transaction } from './store.ts';

/** A whole transaction as one statement, which gives one row with `held` 1, or 0 where it wrote nothing. */
export interface Plan<Answer> {
  readonly text: string;
  readonly values: readonly Value[];
  readonly answer: Answer;
}

/** A row to add: how, and the values that are bound. */
interface Added {
  readonly adds: Adding;
  readonly values: readonly Value[];
}

class NeedsTransaction extends Error {}
const needsTransaction = new NeedsTransaction('asked what only a transaction can tell');

/** The key of a row comes from the row it belongs to, not from a value. */
const boundBy = ({ adds, values }: Added): readonly Value[] =>
  adds.keyOf === undefined ? values : values.slice(0, -1);

function adding(added: readonly Added[], index: number): Sql {
  const one = added[index];
  if (one === undefined) throw new Error('no such row');
  const { table, columns, keyOf, conflict } = one.adds;
  const owner = text(`made${added.findIndex(({ adds }) => adds.table === keyOf)}`);
  const values = list(boundBy(one));
  const inner = { ...values, parts: [values.parts[0]?.slice(1) ?? '', ...values.parts.slice(1, -1), ''] };
  const from = keyOf === undefined ? sql`select ${inner} from sure` : sql`select ${owner}.seq, ${inner} from ${owner}`;
  const isOwner = added.some(({ adds }) => adds.keyOf === table);
  const after = text(`${conflict === undefined ? '' : ` ${conflict}`}${isOwner ? ' returning seq' : ''}`);
  return sql`${text(`made${index}`)} as (insert into ${name(table)} (${join(columns.map(name), ', ')}) ${from}${after})`;
}

/** Adds all rows where the store still gives the row that was expected of it, and none where it does not. */
function composed(guard: Sql | undefined, added: readonly Added[]): Sql {
  const same = Object.entries(guard?.expected ?? {}).map(
    ([column, value]) => sql`asked.${name(column)} is not distinct from ${value}`,
  );
  const sure = guard === undefined ? sql`select 1` : sql`select 1 from (${guard}) asked where ${join(same, ' and ')}`;
  const rows = added.map((_, index) => adding(added, index));
  return sql`with ${join([sql`sure as materialized (${sure})`, ...rows], ', ')} select count(*) as held from sure`;
}

/** The texts of plans by what they consist of: only their values differ. */
export function planTexts(): (guard: Sql | undefined, added: readonly Added[]) => string {
  const numbers = new WeakMap<object, number>();
  const texts = new Map<string, string>();
  let last = 0;
  const numberOf = (part: object): number => {
    const number = numbers.get(part) ?? (last += 1);
    numbers.set(part, number);
    return number;
  };
  return (guard, added) => {
    const key = [guard === undefined ? 0 : numberOf(guard.parts), ...added.map(({ adds }) => numberOf(adds))].join(' ');
    const known = texts.get(key);
    if (known !== undefined) return known;
    const made = render(composed(guard, added), 'dollar');
    texts.set(key, made);
    return made;
  };
}

/**
 * Carries a command out on paper: what it expects to read is taken as read, and what it adds is noted. Null where it needs
 * to read or change anything else, fails, or undoes: that takes a transaction.
 */
export async function plan<Command, Answer>(
  perform: Perform<Command, Answer>,
  command: Command,
  textOf: ReturnType<typeof planTexts>,
): Promise<Plan<Answer> | null> {
  let guard: Sql | undefined;
  let isWhole = true;
  const added: Added[] = [];
  const leave = (): never => {
    isWhole = false;
    throw needsTransaction;
  };
  const transaction: Transaction = {
    dialect: postgresDialect,
    rows: async (statement) => {
      const { expected } = statement;
      if (expected === undefined || guard !== undefined) return leave();
      guard = statement;
      return [expected];
    },
    run: async ({ adds, values }) => {
      if (adds === undefined) return leave();
      added.push({ adds, values });
      return 1;
    },
  };
  try {
    const { commit, answer } = await perform(transaction, command);
    if (!isWhole || !commit || added.length === 0) return null;
    const expected = Object.values(guard?.expected ?? {});
    const values = [...(guard?.values ?? []), ...expected, ...added.flatMap(boundBy)];
    return { text: textOf(guard, added), values, answer };
  } catch {
    return null;
  }
}
