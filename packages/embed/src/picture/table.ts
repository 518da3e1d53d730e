import type { SizedContext } from '../charts/frame/chart.ts';
import type { Table, TableCell, TableRow } from '../charts/frame/table.ts';
import { fitted, widthOf } from '../charts/drawing/text-width.ts';
import { columnWidths } from '../charts/table/widths.ts';
import { chartWordsFor, counted } from '../locale/chart-words.ts';
import { rectangle, textAt } from './write.ts';

const leastTextPx = 72;
/** Returns the height of a table row. It is less than on pages, because texts in pictures are smaller. */
const rowOf = ({ theme }: SizedContext): number => theme.sizes.rowPx - 4;

/** Returns the widths of the columns that fit. Narrows columns of text before it drops columns of numbers. */
function fittedWidths(table: Table, sizePx: number, context: SizedContext): readonly number[] {
  const { theme, widthPx } = context;
  const padPx = theme.sizes.spacePx * 2;
  const preferred = columnWidths(table, (text, isBold) => widthOf(text, sizePx, context, { isBold }), {
    padPx: 2 * padPx + 4,
    headPx: 2 * padPx + 4,
  });
  const sum = (widths: readonly number[]): number => widths.reduce((sumSoFar, width) => sumSoFar + width, 0);
  const narrow = preferred.map((width, index) =>
    table.columns[index]?.isText === false ? width : Math.min(width, leastTextPx),
  );
  let count = preferred.length;
  while (count > 1 && sum(narrow.slice(0, count)) > widthPx) count -= 1;
  const [preferredWidths, narrowWidths] = [preferred.slice(0, count), narrow.slice(0, count)];
  const sparePx = sum(preferredWidths) - sum(narrowWidths);
  const share = sparePx === 0 ? 0 : Math.max(0, Math.min(1, (widthPx - sum(narrowWidths)) / sparePx));
  const widths = narrowWidths.map((width, index) => width + share * ((preferredWidths[index] ?? width) - width));
  return widths.map((width) => (width / sum(widths)) * widthPx);
}

interface Place {
  readonly column: number;
  readonly columns: number;
  readonly y: number;
}

interface CellText {
  readonly text: string;
  readonly numeric: boolean;
  readonly isBold: boolean;
  readonly isMuted?: true;
  readonly isCentered?: boolean;
  readonly cell?: TableCell;
}

/** Returns a function that draws a cell of a table whose columns have these widths. */
function createCells(widths: readonly number[], context: SizedContext): (place: Place, cell: CellText) => string {
  const { theme, rightToLeft, widthPx } = context;
  const sizePx = theme.axisPx + 1;
  const [rowPx, padPx] = [rowOf(context), theme.sizes.spacePx * 2];
  const sum = (from: number, to: number): number =>
    widths.slice(from, to).reduce((sumSoFar, width) => sumSoFar + width, 0);
  return ({ column, columns, y }, { text, numeric, isBold, isMuted, isCentered, cell }) => {
    const width = sum(column, column + columns);
    if (width === 0) return '';
    const start = sum(0, column);
    const left = rightToLeft ? widthPx - start - width : start;
    const atEnd = numeric !== rightToLeft;
    const colors = cell?.colors;
    const barPx = colors === undefined && cell?.bar !== undefined ? Math.abs(cell.bar) * (width - padPx) : 0;
    const barFill = (cell?.bar ?? 0) < 0 ? theme.negative : theme.mainColor;
    const x = isCentered === true ? left + width / 2 : atEnd ? left + width - padPx : left + padPx;
    return [
      colors === undefined ? '' : rectangle(left, y + 1, width, rowPx - 1, `fill="${colors.fill}"`),
      barPx === 0
        ? ''
        : rectangle(
            rightToLeft ? left + width - barPx - padPx / 2 : left + padPx / 2,
            y + rowPx - 3,
            barPx,
            3,
            `fill="${barFill}"`,
          ),
      textAt(x, y + rowPx * 0.68, fitted(text, sizePx, width - 2 * padPx, context, { isBold }), {
        sizePx,
        family: theme.font.family,
        color: colors?.ink ?? (isMuted === true ? theme.mutedText : theme.text),
        ...(isCentered === true ? { anchor: 'middle' } : atEnd ? { anchor: 'end' } : {}),
        ...(isBold ? { weight: 'bold' } : {}),
      }),
    ].join('');
  };
}

const headSvg = ({ head }: Table, rowPx: number, cell: ReturnType<typeof createCells>): readonly string[] =>
  head.flatMap((row, index) => {
    let column = 0;
    return row.map(({ text, columns, numeric }) => {
      const place = { column, columns, y: index * rowPx };
      column += columns;
      return cell(place, { text, numeric, isBold: true, isCentered: columns > 1 });
    });
  });

function rowSvg(
  table: Table,
  { kind, cells }: TableRow,
  { index, isFirst }: { readonly index: number; readonly isFirst: boolean },
  y: number,
  cell: ReturnType<typeof createCells>,
): string {
  let column = 0;
  const cellTexts = cells.map((tableCell) => {
    const { text, columns = 1, span } = tableCell;
    const place = { column, columns, y };
    const numeric = table.columns[column]?.numeric === true;
    column += columns;
    return span !== undefined && span.first !== index && !isFirst
      ? ''
      : cell(place, { text, numeric, isBold: kind !== 'row', cell: tableCell });
  });
  return cellTexts.join('');
}

/** Returns the note about rows and columns that are not drawn. */
function restOf(rows: number, columns: number, { formats }: SizedContext): string {
  const { moreRows, moreColumns } = chartWordsFor(formats.locale);
  const left = [
    [rows, moreRows],
    [columns, moreColumns],
  ] as const;
  return left.flatMap(([n, text]) => (n > 0 ? [counted(text, n, formats.number(n))] : [])).join(' · ');
}

/** The rows to draw, the note below them, and whether the row of totals follows. */
interface TablePart {
  readonly first: number;
  readonly rows: number;
  readonly note: string;
  readonly hasFoot: boolean;
}

function partSvg(
  table: Table,
  widths: readonly number[],
  { first, rows, note, hasFoot }: TablePart,
  context: SizedContext,
): string {
  const { theme, widthPx } = context;
  const rowPx = rowOf(context);
  const cell = createCells(widths, context);
  const line = (y: number, color: string): string => rectangle(0, y, widthPx, 1, `fill="${color}"`);
  const headPx = table.head.length * rowPx;
  const body = Array.from({ length: rows }, (_, index) => {
    const row = table.row(first + index);
    const y = headPx + index * rowPx;
    const back =
      row.kind === 'subtotal' ? rectangle(0, y, widthPx, rowPx, `fill="${theme.line}" fill-opacity="0.4"`) : '';
    const rowText = rowSvg(table, row, { index: first + index, isFirst: index === 0 }, y, cell);
    return back + line(y, index === 0 ? theme.mutedText : theme.line) + rowText;
  });
  const noteY = headPx + rows * rowPx;
  const noteCell = cell(
    { column: 0, columns: widths.length, y: noteY },
    { text: note, numeric: false, isBold: false, isMuted: true },
  );
  const footY = noteY + (note === '' ? 0 : rowPx);
  const foot =
    table.foot === null || !hasFoot
      ? ''
      : line(footY, theme.mutedText) + rowSvg(table, table.foot, { index: 0, isFirst: true }, footY, cell);
  return [...headSvg(table, rowPx, cell), ...body, note === '' ? '' : noteCell, foot].join('');
}

/** Returns how many rows and columns fit. */
function roomIn(table: Table, context: SizedContext) {
  const { theme, heightPx } = context;
  const widths = fittedWidths(table, theme.axisPx + 1, context);
  const footRows = table.foot === null ? 0 : 1;
  const rows = Math.max(1, Math.floor(heightPx / rowOf(context)) - table.head.length - footRows);
  return { widths, rows, missing: table.columns.length - widths.length };
}

/** True if some rows or columns do not fit. */
export function isCut(table: Table, context: SizedContext): boolean {
  const { rows, missing } = roomIn(table, context);
  return missing > 0 || table.size > rows;
}

/** Renders a table as SVG with as many rows and columns as fit. A note says how many are missing. */
export function tableSvg(table: Table, context: SizedContext): string {
  const { widths, rows: room, missing } = roomIn(table, context);
  const rows = missing === 0 && table.size <= room ? table.size : Math.max(1, Math.min(table.size, room - 1));
  return partSvg(
    table,
    widths,
    { first: 0, rows, note: restOf(table.size - rows, missing, context), hasFoot: true },
    context,
  );
}

/**
 * Renders a table as SVG pages of equal height, each with the header. Draws at most `maxRows` rows on all pages
 * together. The last page ends with the totals, and with a note about rows and columns that are not drawn.
 */
export function tablePages(table: Table, context: SizedContext, maxRows: number): readonly string[] {
  const { widths, rows: room, missing } = roomIn(table, context);
  const rowCount = Math.min(table.size, maxRows);
  const note = restOf(table.size - rowCount, missing, context);
  const rowsPerPage = Math.max(1, room - (note === '' ? 0 : 1));
  return Array.from({ length: Math.max(1, Math.ceil(rowCount / rowsPerPage)) }, (_, page) => {
    const firstRow = page * rowsPerPage;
    const isLast = firstRow + rowsPerPage >= rowCount;
    const rows = Math.max(0, Math.min(rowsPerPage, rowCount - firstRow));
    return partSvg(table, widths, { first: firstRow, rows, note: isLast ? note : '', hasFoot: isLast }, context);
  });
}
