import { filledText, isObject, listOr, objectOr, type Json, type JsonObject } from '../../json.ts';
import { tabPlaces } from './tabs.ts';
import type { ContentsWarning } from './warning.ts';

/** The cells of the grid that an item covers, and its name in messages. */
interface GridArea {
  readonly path: string;
  readonly name: string;
  readonly id: string | null;
  readonly col: number;
  readonly row: number;
  readonly right: number;
  readonly below: number;
}

/** Maximum number of items that are compared with each other. */
const maxItems = 5000;
const maxColumns = 1000;
const defaults = { col: 0, row: 0, sizeX: 24, sizeY: 16 } as const;
const sides = ['col', 'row', 'sizeX', 'sizeY'] as const;

const columnsOf = (view: JsonObject): number => {
  const columns = objectOr(view['options'])['columns'];
  return typeof columns === 'number' && columns > 0 && columns <= maxColumns ? columns : 48;
};

const nameOf = (item: JsonObject, index: number): string => {
  const id = filledText(item['id']);
  return id === null ? `items[${index}]` : `items[${index}] ("${id.slice(0, 60)}")`;
};

/** Warns about positions that are negative or no whole numbers. */
function oddNumbers(position: Json | undefined, path: string): readonly ContentsWarning[] {
  if (!isObject(position)) return [];
  return sides.flatMap((side): readonly ContentsWarning[] => {
    const value = position[side];
    if (typeof value !== 'number') return [];
    const at = { path: `${path}.position.${side}`, code: 'outside_grid' } as const;
    const minimum = side === 'col' || side === 'row' ? 0 : 1;
    if (value < minimum) return [{ ...at, message: `is ${value}; it must be a whole number from ${minimum}` }];
    return Number.isInteger(value) ? [] : [{ ...at, message: `is ${value} and is rounded; it must be a whole number` }];
  });
}

function placedAt(item: JsonObject, index: number, path: string): GridArea {
  const position = objectOr(item['position']);
  const at = (side: (typeof sides)[number]): number => {
    const value = position[side];
    return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.round(value)) : defaults[side];
  };
  const [col, row] = [at('col'), at('row')];
  const id = filledText(item['id']);
  return { path, name: nameOf(item, index), id, col, row, right: col + at('sizeX'), below: row + at('sizeY') };
}

/** Finds overlapping items from the top down. Remembers for each column the item that extends furthest down. */
function overlaps(areas: readonly GridArea[], columns: number): readonly ContentsWarning[] {
  const lowest = Array.from({ length: columns }, (): GridArea | null => null);
  const orderedAreas = areas.toSorted((left, right) => left.row - right.row || left.col - right.col);
  return orderedAreas.flatMap((item): readonly ContentsWarning[] => {
    const overlappedAreas = new Set<GridArea>();
    for (let column = item.col; column < item.right; column += 1) {
      const areaAbove = lowest[column] ?? null;
      if (areaAbove !== null && areaAbove.below > item.row) overlappedAreas.add(areaAbove);
      if (areaAbove === null || areaAbove.below < item.below) lowest[column] = item;
    }
    const [firstOverlapped] = overlappedAreas;
    if (firstOverlapped === undefined || item.below === item.row) return [];
    return [
      {
        path: `${item.path}.position`,
        code: 'overlap',
        message: `lies on ${[...overlappedAreas].map(({ name }) => name).join(', ')}; one hides the other`,
      },
    ];
  });
}

/** Maximum number of tabs whose items are compared. */
const maxTabs = 20;

/**
 * Finds overlaps on each tab. Items outside tabs are compared with the items of the first tab, then with those of the
 * second tab, and so on.
 */
function overlapsInTabs(view: JsonObject, areas: readonly GridArea[], columns: number): readonly ContentsWarning[] {
  const places = tabPlaces(view);
  const placeOf = ({ id }: GridArea): number | null => (id === null ? null : (places.get(id) ?? null));
  const count = Math.min(maxTabs, 1 + Math.max(0, ...places.values()));
  const warnings = Array.from({ length: count }, (_, tab) =>
    overlaps(
      areas.filter((area) => [null, tab].includes(placeOf(area))),
      columns,
    ),
  ).flat();
  return warnings.filter(({ path }, index) => warnings.findIndex((warning) => warning.path === path) === index);
}

/** Warns about positions and ids of the items of a view. The time is linear in the number of items. */
export function gridWarnings(view: JsonObject, path: string): readonly ContentsWarning[] {
  const columns = columnsOf(view);
  const ids = new Map<string, number>();
  const warnings: ContentsWarning[] = [];
  const areasWithinGrid: GridArea[] = [];
  for (const [index, item] of listOr(view['items']).slice(0, maxItems).map(objectOr).entries()) {
    const at = `${path}.items[${index}]`;
    const id = filledText(item['id']);
    const firstIndex = id === null ? undefined : ids.get(id);
    if (firstIndex !== undefined)
      warnings.push({
        path: `${at}.id`,
        code: 'duplicate_id',
        message: `is the id of items[${firstIndex}] too; filters and exports then mean the first of them`,
      });
    else if (id !== null) ids.set(id, index);
    warnings.push(...oddNumbers(item['position'], at));
    if ((item['position'] ?? null) === null) {
      if (listOr(view['items']).length > 1)
        warnings.push({
          path: `${at}.position`,
          code: 'missing',
          message: 'is missing, so the item stands at the top left, 24 columns wide and 16 rows high',
        });
      continue;
    }
    const area = placedAt(item, index, at);
    if (area.right <= columns) areasWithinGrid.push(area);
    else
      warnings.push({
        path: `${at}.position`,
        code: 'outside_grid',
        message: `reaches to column ${area.right} of a grid of ${columns}: make col + sizeX at most ${columns}, or options.columns of the view larger`,
      });
  }
  return [...warnings, ...overlapsInTabs(view, areasWithinGrid, columns)];
}
