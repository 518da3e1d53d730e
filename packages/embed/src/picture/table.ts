import type { Look, Table } from '../charts/drawing/chart.ts';
import { fitted, rectangle, textAt, widthOf } from './write.ts';

const rowPx = 26;
const padPx = 8;

/** Widths of the columns: by what they hold, shrunk alike where they do not fit. */
function columnWidths(table: Table, look: Look): readonly number[] {
  const count = Math.max(table.head.at(-1)?.length ?? 0, ...table.body.map((row) => row.length), 1);
  const sizePx = look.theme.axisPx + 1;
  const wanted = Array.from({ length: count }, (_, column) => {
    const texts = [
      table.head.at(-1)?.[column]?.text ?? '',
      ...table.body.slice(0, 40).map((row) => row[column]?.text ?? ''),
    ];
    return Math.min(260, Math.max(40, ...texts.map((text) => widthOf(text, sizePx) + 2 * padPx)));
  });
  const total = wanted.reduce((sum, width) => sum + width, 0);
  return wanted.map((width) => (width / total) * look.widthPx);
}

/** A table as SVG: as many rows as there is room for, and how many more there are. */
export function tableSvg(table: Table, look: Look): string {
  const { theme, rightToLeft } = look;
  const widths = columnWidths(table, look);
  const room = Math.max(1, Math.floor(look.heightPx / rowPx) - table.head.length);
  const shown = table.body.length <= room ? table.body : table.body.slice(0, room - 1);
  const style = { sizePx: theme.axisPx + 1, family: theme.font.family, color: theme.text };
  const xOf = (column: number): number => widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  const cell = (
    column: number,
    columns: number,
    y: number,
    text: string,
    numeric: boolean,
    weight?: string,
  ): string => {
    const width = widths.slice(column, column + columns).reduce((sum, one) => sum + one, 0);
    const left = rightToLeft ? look.widthPx - xOf(column) - width : xOf(column);
    const atEnd = numeric !== rightToLeft;
    return textAt(
      atEnd ? left + width - padPx : left + padPx,
      y + rowPx * 0.68,
      fitted(text, style.sizePx, width - 2 * padPx),
      {
        ...style,
        ...(atEnd ? { anchor: 'end' } : {}),
        ...(weight === undefined ? {} : { weight }),
      },
    );
  };
  const line = (y: number): string => rectangle(0, y, look.widthPx, 1, `fill="${theme.line}"`);
  const head = table.head.flatMap((row, index) => {
    let column = 0;
    return row.map(({ text, columns, numeric }) => {
      const drawn = cell(column, columns, index * rowPx, text, numeric, 'bold');
      column += columns;
      return drawn;
    });
  });
  const open: number[] = [];
  const body = shown.flatMap((row, index) => {
    const y = (table.head.length + index) * rowPx;
    let column = 0;
    const drawn = row.flatMap(({ text, numeric, rows, total }) => {
      while ((open[column] ?? 0) > 0) {
        open[column] = (open[column] ?? 0) - 1;
        column += 1;
      }
      if (rows !== undefined && rows > 1) open[column] = rows - 1;
      column += 1;
      return [cell(column - 1, 1, y, text, numeric, total === true ? 'bold' : undefined)];
    });
    return [line(y), ...drawn];
  });
  const more = table.body.length - shown.length;
  const rest =
    more === 0
      ? ''
      : textAt(padPx, (table.head.length + shown.length) * rowPx + rowPx * 0.68, `… +${look.formats.number(more)}`, {
          ...style,
          color: theme.mutedText,
        });
  return [...head, ...body, rest].join('');
}
