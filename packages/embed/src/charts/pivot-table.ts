import type { Table, TableCell, TableChart } from './drawing/chart.ts';
import { markOf } from './drawing/mark.ts';
import type { Field, Frame, Row } from './drawing/frame.ts';
import { naturalOrder } from './drawing/members.ts';
import { isNumeric } from './drawing/table.ts';

interface Path {
  readonly key: string;
  readonly row: Row;
}

/** The distinct combinations of some dimensions, in the order of the rows. */
function paths(rows: readonly Row[], fields: readonly Field[]): readonly Path[] {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row, fields);
    if (!found.has(key)) found.set(key, row);
  }
  return [...found].map(([key, row]) => ({ key, row }));
}

const keyOf = (row: Row, fields: readonly Field[]): string =>
  fields.map((field) => field.key(row[field.index])).join('\u0001');

/** Neighbours with the same beginning share one header cell. */
function spans(
  list: readonly Path[],
  fields: readonly Field[],
  depth: number,
): readonly { readonly row: Row; readonly size: number }[] {
  const upTo = fields.slice(0, depth + 1);
  return list.reduce<{ row: Row; key: string; size: number }[]>((held, { row }) => {
    const last = held.at(-1);
    const key = keyOf(row, upTo);
    if (last?.key === key) last.size += 1;
    else held.push({ row, key, size: 1 });
    return held;
  }, []);
}

const sorted = (frame: Frame, list: readonly Path[], fields: readonly Field[]): readonly Path[] => {
  const natural = fields.map((field) => naturalOrder(frame, field));
  const order = new Map<string, number>();
  fields.forEach((_, depth) => {
    for (const { row } of list) {
      const key = keyOf(row, fields.slice(0, depth + 1));
      if (!order.has(key)) order.set(key, order.size);
    }
  });
  const rank = (path: Path, depth: number): number => order.get(keyOf(path.row, fields.slice(0, depth + 1))) ?? 0;
  return list.toSorted((a, b) => {
    const depth = fields.findIndex((_, index) => rank(a, index) !== rank(b, index));
    const place = fields[depth]?.index ?? 0;
    const byPart = natural[depth]?.(a.row[place] ?? null, b.row[place] ?? null);
    return depth === -1 ? 0 : (byPart ?? rank(a, depth) - rank(b, depth));
  });
};

function pivot(frame: Frame): Table {
  const [down, across] = [frame.slot('row'), frame.slot('column')];
  const { measures } = frame;
  const lines = sorted(frame, paths(frame.rows, down), down);
  const columns = sorted(frame, paths(frame.rows, across), across);
  const cells = new Map(frame.rows.map((row) => [`${keyOf(row, down)}\u0002${keyOf(row, across)}`, row]));
  const corner = down.map((field) => ({ text: field.label, columns: 1, numeric: false }));
  const manyMeasures = measures.length > 1 || across.length === 0;
  const heads = across.map((field, depth) => [
    ...(depth === across.length - 1 && !manyMeasures
      ? corner
      : down.map(() => ({ text: '', columns: 1, numeric: false }))),
    ...spans(columns, across, depth).map(({ row, size }) => ({
      text: field.text(row[field.index]),
      columns: size * measures.length,
      numeric: true,
    })),
  ]);
  const names = [
    ...corner,
    ...columns.flatMap(() => measures.map(({ label }) => ({ text: label, columns: 1, numeric: true }))),
  ];
  const rowStarts = down.map((_, depth) => {
    let at = 0;
    return new Map(
      spans(lines, down, depth).map(({ size }) => {
        at += size;
        return [at - size, size] as const;
      }),
    );
  });
  const body = lines.map((line, index): readonly TableCell[] => [
    ...down.flatMap((field, depth): readonly TableCell[] => {
      const size = rowStarts[depth]?.get(index);
      if (size === undefined) return [];
      const mark = markOf(down.slice(0, depth + 1), line.row);
      return [{ text: field.text(line.row[field.index]), numeric: false, header: 'row', rows: size, mark }];
    }),
    ...columns.flatMap(({ key }) =>
      measures.map((measure): TableCell => {
        const row = cells.get(`${line.key}\u0002${key}`);
        return {
          text: row === undefined ? '' : measure.text(row[measure.index]),
          numeric: isNumeric(measure),
          ...(row === undefined ? {} : { mark: markOf(frame.dimensions, row) }),
        };
      }),
    ),
  ]);
  return { head: manyMeasures ? [...heads, names] : heads, body };
}

export const chart: TableChart = { kind: 'table', type: 'pivot-table', table: pivot };
