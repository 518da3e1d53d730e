import type { BenchColumn, BenchTable, Factors } from './domain.ts';

type Cell = string | number | null;
export type TableRow = Readonly<Record<string, Cell>>;

const dayMs = 86_400_000;

/** The rows of a table; the same for the same declaration, on every machine. */
export function generateRows(domain: string, table: BenchTable, today: string): TableRow[] {
  const rows: Record<string, Cell>[] = Array.from({ length: table.rows }, () => ({}));
  for (const column of table.columns) {
    const random = seeded(`${domain}.${table.name}.${column.name}`);
    const make = cellMaker(column, today, random);
    rows.forEach((row, index) => {
      const missing = random() < (column.values.nulls ?? 0);
      const cell = make(row, index);
      row[column.name] = missing ? null : cell;
    });
  }
  return rows;
}

/** A table as CSV with a header line of column names. */
export function csvOf(table: BenchTable, rows: readonly TableRow[]): string {
  const lines = rows.map((row) => table.columns.map(({ name }) => csvCell(row[name] ?? null)).join(','));
  return [table.columns.map(({ name }) => name).join(','), ...lines].join('\n') + '\n';
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'number' ? String(cell) : `"${cell.replaceAll('"', '""')}"`;
}

type CellMaker = (row: TableRow, index: number) => Cell;

function cellMaker({ values }: BenchColumn, today: string, random: () => number): CellMaker {
  if ('serial' in values) {
    const { serial, prefix } = values;
    return (_, index) => (prefix === undefined ? serial + index : `${prefix}${serial + index}`);
  }
  if ('pick' in values) {
    const { pick } = values;
    const weights = Array.isArray(pick)
      ? pick.map((word: string, index): [string, number] => [word, 1 / (index + 1) ** 0.7])
      : Object.entries(pick);
    return () => weighted(weights, random());
  }
  if ('pool' in values) {
    const { pool, prefix } = values;
    return () => `${prefix}${String(Math.floor(pool * random() ** 1.6) + 1).padStart(4, '0')}`;
  }
  if ('match' in values) {
    const { match, map } = values;
    return (row) => map[String(row[match])] ?? null;
  }
  if ('yes' in values) {
    const { yes, words = ['yes', 'no'], factor } = values;
    return (row) => (random() < yes * factorOf(factor, row) ? words[0] : words[1]);
  }
  if ('range' in values) {
    const [low, high] = values.range;
    const { skew = 1, decimals = 0, factor, times = [] } = values;
    return (row) => {
      const drawn = (low + (high - low) * random() ** skew) * factorOf(factor, row);
      const number = times.reduce((product, name) => product * Number(row[name] ?? 0), drawn);
      return Number(number.toFixed(decimals));
    };
  }
  if ('after' in values) {
    const { after, days } = values;
    return (row) => {
      const start = row[after];
      if (typeof start !== 'string') return null;
      const later = days[0] + Math.floor((days[1] - days[0] + 1) * random() ** 1.5);
      return dayText(Date.parse(start.slice(0, 10)) + later * dayMs);
    };
  }
  return timeMaker(values.time, today, random);
}

interface TimeShape {
  readonly from?: string;
  readonly growth?: number;
  readonly weekdays?: readonly number[];
  readonly months?: readonly number[];
  readonly hours?: readonly number[];
}

/** The first four rows are of today and the next four of yesterday. */
function timeMaker(shape: TimeShape, today: string, random: () => number): CellMaker {
  const { from = '2021-01-01', growth = 1, weekdays, months, hours } = shape;
  const start = Date.parse(from);
  const days = (Date.parse(today) - start) / dayMs + 1;
  const weightOf = (time: number) => {
    const date = new Date(time);
    return share(weekdays, (date.getUTCDay() + 6) % 7) * share(months, date.getUTCMonth());
  };
  const drawDay = () => {
    for (;;) {
      const time = start + Math.floor(days * random() ** (1 / growth)) * dayMs;
      if (random() < weightOf(time)) return time;
    }
  };
  return (_, index) => {
    const drawn = drawDay();
    const time = index < 8 ? Date.parse(today) - Math.floor(index / 4) * dayMs : drawn;
    if (hours === undefined) return dayText(time);
    const hour = weighted(
      hours.map((weight, at): [number, number] => [at, weight]),
      random(),
    );
    const minute = Math.floor(random() * 60);
    return `${dayText(time)}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00Z`;
  };
}

function share(weights: readonly number[] | undefined, at: number): number {
  return weights === undefined ? 1 : (weights[at] ?? 0) / Math.max(...weights);
}

function weighted<Value>(weights: readonly (readonly [Value, number])[], drawn: number): Value {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  let left = drawn * total;
  for (const [value, weight] of weights) {
    left -= weight;
    if (left < 0) return value;
  }
  const [first] = weights;
  if (first === undefined) throw new Error('no value to draw from');
  return first[0];
}

function factorOf(factors: Factors | undefined, row: TableRow): number {
  return Object.entries(factors ?? {}).reduce(
    (product, [column, byValue]) => product * (byValue[String(row[column])] ?? 1),
    1,
  );
}

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Numbers of the interval [0, 1) from a text (mulberry32 over an FNV-1a hash). */
function seeded(text: string): () => number {
  let state = 2_166_136_261;
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
