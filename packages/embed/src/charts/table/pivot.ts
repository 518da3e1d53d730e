import type { Json } from '@inlay/contract';
import { chartWordsFor } from '../../locale/chart-words.ts';
import type { SizedContext } from '../frame/chart.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';
import { linksOf, type Link } from '../frame/link.ts';
import { markOf } from '../frame/mark.ts';
import type { Table, TableCell, TableHead, TableRow, TableSort } from '../frame/table.ts';
import { cellStyles } from './colors.ts';
import { isNumeric, isText } from './flat.ts';
import { pathKey, runsOf, sortedPaths, type Path } from './groups.ts';
import { headsOf, linesOf, type Line } from './lines.ts';
import { orderOf } from './order.ts';
import { hasTotal, showsTotals, totalOf } from '../frame/totals.ts';

/** A measure for a combination of column members. If `path` is null, it is the total over all columns. */
interface ValueColumn {
  readonly measure: Field;
  readonly path: Path | null;
}

/** The data of a pivot table. */
interface Pivot {
  readonly frame: Frame;
  readonly down: readonly Field[];
  readonly across: readonly Field[];
  readonly paths: readonly Path[];
  readonly values: readonly ValueColumn[];
  /** Returns the rows of the answer that belong to some lines and one column. */
  rowsAt(paths: readonly Path[], column: ValueColumn): readonly Row[];
}

function pivotOf(frame: Frame): Pivot {
  const [down, across] = [frame.slot('row'), frame.slot('column')];
  const columns = sortedPaths(frame, across);
  const cells = new Map(frame.rows.map((row) => [`${pathKey(row, down)}\u0002${pathKey(row, across)}`, row]));
  const summedMeasures = showsTotals(frame) && columns.length > 1 ? frame.measures.filter(hasTotal) : [];
  const rowsOf = (line: Path, column: Path): readonly Row[] => {
    const row = cells.get(`${line.key}\u0002${column.key}`);
    return row === undefined ? [] : [row];
  };
  return {
    frame,
    down,
    across,
    paths: sortedPaths(frame, down),
    values: [
      ...columns.flatMap((path) => frame.measures.map((measure) => ({ measure, path }))),
      ...summedMeasures.map((measure) => ({ measure, path: null })),
    ],
    rowsAt: (lines, { path }) =>
      lines.flatMap((line) => (path === null ? columns : [path]).flatMap((column) => rowsOf(line, column))),
  };
}

function headOf({ frame, down, across, values }: Pivot, totalLabel: string): Table['head'] {
  const columns = values.flatMap(({ path, measure }) => (path === null || measure !== frame.measures[0] ? [] : [path]));
  const { length: summedCount } = values.filter(({ path }) => path === null);
  const measureCount = frame.measures.length;
  const isNamed = measureCount > 1 || across.length === 0;
  const corner = down.map((field, column) => ({ text: field.label, columns: 1, numeric: false, column }));
  const cornerCell = { text: '', columns: down.length, numeric: false, column: null };
  const heads = across.map((field, depth): readonly TableHead[] => {
    const isLast = depth === across.length - 1 && !isNamed;
    const members = runsOf(columns, across, depth).map(({ row, first, size }) => ({
      text: field.text(row[field.index]),
      columns: size * measureCount,
      numeric: true,
      column: isLast ? down.length + first : null,
    }));
    const isTotal = isNamed ? depth === 0 : isLast;
    const totalCell = { text: isTotal ? totalLabel : '', columns: summedCount, numeric: true };
    const sortableTotalCell = { ...totalCell, column: isLast ? down.length + columns.length : null };
    return [
      ...(isLast ? corner : [cornerCell].filter(() => down.length > 0)),
      ...members,
      ...(summedCount > 0 ? [sortableTotalCell] : []),
    ];
  });
  const names = values.map(({ measure }, index) => ({
    text: measure.label,
    columns: 1,
    numeric: true,
    column: down.length + index,
  }));
  return isNamed ? [...heads, [...corner, ...names]] : heads;
}

/** Returns the combinations sorted by a column. Inner members are sorted within their outer member. */
function sortedBy(pivot: Pivot, by: TableSort | null, locale: string): readonly Path[] {
  const { down, paths, values } = pivot;
  if (by === null) return paths;
  const value = values[by.column - down.length];
  const field = down[by.column] ?? value?.measure;
  if (field === undefined) return paths;
  const cellOf = (path: Path): Json | undefined =>
    value === undefined ? path.row[field.index] : valueOf(pivot, [path], value);
  const ranks = new Map<Path, number>();
  orderOf(field, paths.map(cellOf), { locale, isDescending: by.isDescending }).forEach((place, rank) => {
    const path = paths[place];
    if (path !== undefined) ranks.set(path, rank);
  });
  const outerFields = down.slice(0, value === undefined ? by.column : -1);
  const outerRuns = outerFields.map((_, depth) => runsOf(paths, down, depth));
  const groups = outerRuns.at(-1) ?? [{ first: 0, size: paths.length }];
  return groups.flatMap(({ first, size }) =>
    paths.slice(first, first + size).toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)),
  );
}

/**
 * Returns the cell for some lines and one column. A single line has the value of the answer; several lines have their
 * total.
 */
function valueOf(pivot: Pivot, paths: readonly Path[], column: ValueColumn): Json | undefined {
  const rows = pivot.rowsAt(paths, column);
  const [only] = rows;
  if (only === undefined) return undefined;
  return paths.length === 1 && column.path !== null ? only[column.measure.index] : totalOf(column.measure, rows);
}

const linkFrom = (link: Link | null | undefined): Pick<TableCell, 'link'> =>
  link === null || link === undefined ? {} : { link };

/** Returns a pivot table. Its rows and columns are members, and its cells are values of measures. */
export function pivotTable(frame: Frame, context: SizedContext): Table {
  const { locale } = context.formats;
  const { total } = chartWordsFor(locale);
  const pivot = pivotOf(frame);
  const { down, values } = pivot;
  const styles = cellStyles(frame, context);
  const links = linksOf(frame);
  const valueCells = (paths: readonly Path[], isTotal: boolean): readonly TableCell[] =>
    values.map((column) => {
      const { measure } = column;
      const cell = isTotal ? totalOf(measure, pivot.rowsAt(paths, column)) : valueOf(pivot, paths, column);
      const text = cell === undefined || cell === null ? '' : measure.text(cell);
      const [row] = isTotal || column.path === null ? [] : pivot.rowsAt(paths, column);
      if (row === undefined) return { text };
      const link = linkFrom(links?.(measure, markOf(frame.fields, row).cells));
      return { text, mark: markOf(frame.dimensions, row), ...link, ...styles(measure, cell) };
    });
  const rowOf = (lines: readonly Line[], spans: ReturnType<typeof headsOf>[], index: number): TableRow => {
    const line = lines[index];
    if (line === undefined) return { kind: 'row', cells: [] };
    const row = line.kind === 'row' ? line.path.row : line.row;
    const heads = down.flatMap((field, depth): readonly TableCell[] => {
      const text = field.text(row[field.index]);
      if (line.kind === 'subtotal' && depth === line.depth)
        return [{ text: `${total}: ${text}`, columns: down.length - depth }];
      if (line.kind === 'subtotal' && depth > line.depth) return [];
      const span = spans[depth]?.[index];
      const mark = markOf(down.slice(0, depth + 1), row);
      return [{ text, mark, ...linkFrom(links?.(field, mark.cells)), ...(span === undefined ? {} : { span }) }];
    });
    const cells = line.kind === 'row' ? valueCells([line.path], false) : valueCells(line.paths, true);
    return { kind: line.kind, cells: [...heads, ...cells] };
  };
  const totalHead = down.length === 0 ? [] : [{ text: total, columns: down.length }];
  const layout = {
    columns: [
      ...down.map((field) => ({ label: field.label, numeric: false, isText: isText(field), isHead: true })),
      ...values.map(({ measure }) => ({
        label: measure.label,
        numeric: isNumeric(measure),
        isText: false,
        isHead: false,
      })),
    ],
    head: headOf(pivot, total),
    foot: showsTotals(frame)
      ? { kind: 'total' as const, cells: [...totalHead, ...valueCells(pivot.paths, true)] }
      : null,
  };
  const hasSubtotals = frame.settings.hasSubtotals && !frame.truncated && frame.measures.some(hasTotal);
  const sortedTable = (by: TableSort | null): Table => {
    const lines = linesOf(sortedBy(pivot, by, locale), down, hasSubtotals);
    const spans = down.map((_, depth) => headsOf(lines, down, depth));
    return { ...layout, size: lines.length, sorted: sortedTable, row: (index) => rowOf(lines, spans, index) };
  };
  return sortedTable(null);
}
