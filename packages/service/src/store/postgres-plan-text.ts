import { join, name, render, sql, text, type Adding, type Sql, type Value } from './sql.ts';

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

/** The columns whose values are bound: the key of a row that belongs to another comes from that one. */
const boundOf = ({ columns, keyOf }: Adding): readonly string[] => (keyOf === undefined ? columns : columns.slice(1));
/** How a row names the one it belongs to, where several are added at once. */
const ownerId = 'owner_id_of_row';

/** Rows of bound values as a table; the first, which is left out, tells the types. */
function rowsOf(adding: Adding, plans: number): Sql {
  const bound = boundOf(adding);
  const table = name(adding.table);
  const types = bound.map((column) => sql`(null::${table}).${name(column)}`);
  const keyed = adding.keyOf === undefined ? [] : [ownerId];
  const width = bound.length + keyed.length;
  const first = sql`(${join([...types, ...keyed.map(() => text('null::text'))], ', ')})`;
  const rows = Array.from({ length: plans }, () => sql`(${holes(width)})`);
  const names = join([...bound, ...keyed].map(name), ', ');
  return sql`(values ${join([first, ...rows], ', ')} offset 1) given (${names})`;
}

function added(all: readonly Adding[], index: number, plans: number): Sql {
  const adding = all[index];
  if (adding === undefined) throw new Error('no such row');
  const { table, columns, keyOf, conflict } = adding;
  const owner = text(`made${all.findIndex((other) => other.table === keyOf)}`);
  const bound =
    plans === 1
      ? holes(boundOf(adding).length)
      : join(
          boundOf(adding).map((column) => sql`given.${name(column)}`),
          ', ',
        );
  const from = keyOf === undefined ? sql`select ${bound} from sure` : sql`select ${owner}.seq, ${bound} from ${owner}`;
  const several =
    plans === 1
      ? text('')
      : keyOf === undefined
        ? sql`, ${rowsOf(adding, plans)}`
        : sql` join ${rowsOf(adding, plans)} on given.${name(ownerId)} = ${owner}.id`;
  const isOwner = all.some((other) => other.keyOf === table);
  const after = text(`${conflict === undefined ? '' : ` ${conflict}`}${isOwner ? ' returning seq, id' : ''}`);
  return sql`${text(`made${index}`)} as (insert into ${name(table)} (${join(columns.map(name), ', ')}) ${from}${several}${after})`;
}

/** Adds all rows where the store still gives the row that was expected of it, and none where it does not. */
function composed(guard: Sql | undefined, all: readonly Adding[], plans: number): Sql {
  const same = Object.entries(guard?.expected ?? {}).map(
    ([column, value]) => sql`asked.${name(column)} is not distinct from ${value}`,
  );
  const sure = guard === undefined ? sql`select 1` : sql`select 1 from (${guard}) asked where ${join(same, ' and ')}`;
  const rows = all.map((_, index) => added(all, index, plans));
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
      const isOne = plans.length === 1;
      all.forEach(({ keyOf }, index) => {
        for (const plan of plans) {
          const row = plan[index] ?? [];
          const count = isOne && keyOf !== undefined ? row.length - 1 : row.length;
          for (let at = 0; at < count; at += 1) bound.push(row[at] ?? null);
        }
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
