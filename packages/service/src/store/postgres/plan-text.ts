import { join, name, render, sql, text, type Adding, type Sql, type Value } from '../sql.ts';

/** What plans have in common that differ only in their values: such plans can be one statement. */
export interface PlanShape {
  /**
   * The statement for so many plans with the same expected row; it gives one row with `held` 1, or 0 where it wrote
   * nothing. It binds what was expected, then for each kind of added row the values of every plan.
   */
  text(plans: number): string;
  /** The values for the statement of so many plans. */
  values(expected: readonly Value[], plans: readonly (readonly (readonly Value[])[])[]): readonly Value[];
}

const hole: Sql = { parts: ['', ''], values: [null] };
const holes = (count: number): Sql =>
  join(
    Array.from({ length: count }, () => hole),
    ', ',
  );

/** Rows of bound values as a table; the first, which is left out, tells the types. */
function rowsOf({ table, columns }: Adding, plans: number): Sql {
  const first = columns.map((column) => sql`(null::${name(table)}).${name(column)}`);
  const rows = Array.from({ length: plans }, () => sql`(${holes(columns.length)})`);
  return sql`(values ${join([sql`(${join(first, ', ')})`, ...rows], ', ')} offset 1) given (${join(columns.map(name), ', ')})`;
}

function added(adding: Adding, index: number, plans: number): Sql {
  const { table, columns, conflict } = adding;
  const names = join(columns.map(name), ', ');
  const given = join(
    columns.map((column) => sql`given.${name(column)}`),
    ', ',
  );
  const rows =
    plans === 1
      ? sql`select ${holes(columns.length)} from sure`
      : sql`select ${given} from sure, ${rowsOf(adding, plans)}`;
  const after = text(conflict === undefined ? '' : ` ${conflict}`);
  return sql`${text(`made${index}`)} as (insert into ${name(table)} (${names}) ${rows}${after})`;
}

/** Adds all rows where the store still gives the row that was expected of it, and none where it does not. */
function composed(guard: Sql | undefined, all: readonly Adding[], plans: number): Sql {
  const same = Object.entries(guard?.expected ?? {}).map(
    ([column, value]) => sql`asked.${name(column)} is not distinct from ${value}`,
  );
  const sure = guard === undefined ? sql`select 1` : sql`select 1 from (${guard}) asked where ${join(same, ' and ')}`;
  const rows = all.map((adding, index) => added(adding, index, plans));
  return sql`with ${join([sql`sure as materialized (${sure})`, ...rows], ', ')} select count(*) as held from sure`;
}

function shapeOf(guard: Sql | undefined, all: readonly Adding[]): PlanShape {
  const texts = new Map<number, string>();
  return {
    text(plans) {
      const known = texts.get(plans);
      if (known !== undefined) return known;
      const made = render(composed(guard, all, plans), 'dollar');
      texts.set(plans, made);
      return made;
    },
    values(expected, plans) {
      const bound = [...expected];
      all.forEach((_, index) => {
        for (const plan of plans) bound.push(...(plan[index] ?? []));
      });
      return bound;
    },
  };
}

/** The shapes of plans by what they consist of, each made once. */
export function planShapes(): (guard: Sql | undefined, added: readonly Adding[]) => PlanShape {
  const numbers = new WeakMap<object, number>();
  const shapes = new Map<string, PlanShape>();
  let last = 0;
  const numberOf = (part: object): number => {
    const number = numbers.get(part) ?? (last += 1);
    numbers.set(part, number);
    return number;
  };
  return (guard, all) => {
    const key = [guard === undefined ? 0 : numberOf(guard.parts), ...all.map(numberOf)].join(' ');
    const known = shapes.get(key);
    if (known !== undefined) return known;
    const made = shapeOf(guard, all);
    shapes.set(key, made);
    return made;
  };
}
