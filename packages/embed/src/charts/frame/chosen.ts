import type { Mark } from './mark.ts';
import type { Frame, Row } from './frame.ts';

/** True if a row matches a selected mark. */
export const isChosen = ({ dimensions }: Pick<Frame, 'dimensions'>, row: Row, { cells }: Mark): boolean =>
  cells.every(({ field, cell }) => {
    const dimension = dimensions.find(({ index }) => index === field.index);
    return dimension !== undefined && dimension.key(row[dimension.index]) === field.key(cell);
  });
