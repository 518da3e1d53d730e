import { isObject, member, type JsonObject } from '../json.ts';
import { isAggregatedEntry, readEntry, type Item, type SlotContent } from './item.ts';

/** Default datetime level: months. */
const usualLevel = 3;

const isMeasure = (content: SlotContent): boolean =>
  content.columnId === null || isAggregatedEntry(content) || (content.type === 'numeric' && content.bins === null);

/** Converts the sort option of a table to the slots of a pivot table. */
function sortOf(options: JsonObject, contents: readonly SlotContent[]): JsonObject {
  const sort = member(options, 'sort');
  if (!isObject(sort)) return {};
  if (member(sort, 'by') !== 'columns') return { sort };
  const index = member(sort, 'index');
  const place = typeof index === 'number' ? index : 0;
  const sortedContent = contents[place];
  if (sortedContent === undefined) return {};
  const sameKindContents = contents.filter((content) => isMeasure(content) === isMeasure(sortedContent));
  return {
    sort: { ...sort, by: isMeasure(sortedContent) ? 'measure' : 'row', index: sameKindContents.indexOf(sortedContent) },
  };
}

/**
 * Returns the item whose query has the values of a table's sparklines: a pivot table with the same members and measures
 * over time. Null if the table has no sparklines, no members or no measures.
 */
export function sparklineItem(item: Item): Item | null {
  const sparkline = member(item.options, 'sparkline');
  if (item.type !== 'regular-table' || !isObject(sparkline)) return null;
  const [time] = readEntry({ level: usualLevel, ...sparkline, type: 'datetime' });
  const contents = item.slots.flatMap(({ name, content }) => (name === 'columns' ? content : []));
  const measures = contents.filter(isMeasure);
  const members = contents.filter((content) => !isMeasure(content));
  const isEachRow = contents.every(
    ({ columnId, aggregation }) => columnId !== null && (aggregation ?? 'none') === 'none',
  );
  if (time === undefined || time.columnId === null || isEachRow || measures.length === 0 || members.length === 0)
    return null;
  const limit = member(item.options, 'limit');
  return {
    ...item,
    type: 'pivot-table',
    options: { ...sortOf(item.options, contents), ...(limit === undefined ? {} : { limit }) },
    slots: [
      { name: 'row', content: members },
      { name: 'column', content: [time] },
      { name: 'measure', content: measures },
    ],
  };
}
