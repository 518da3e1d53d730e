import type { Mark } from './mark.ts';
import type { Frame, Row } from './frame.ts';

/** True if a row matches a selected mark. */
export const isChosen = ({ dimensions }: Pick<Frame, 'dimensions'>, row: Row, { cells }: Mark): boolean =>
  cells.every(({ field, cell }) => {
    const own = dimensions.find(({ index }) => index === field.index);
    return own !== undefined && own.key(row[own.index]) === field.key(cell);
  });
