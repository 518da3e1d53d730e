import { isObject, member, type JsonObject } from '../json.ts';
import { isAggregatedEntry, readEntry, type Item, type SlotContent } from './item.ts';

/** Months, where an item does not say over what its lines are. */
const usualLevel = 3;

const isMeasure = (content: SlotContent): boolean =>
  content.columnId === null || isAggregatedEntry(content) || (content.type === 'numeric' && content.bins === null);

/** The same order of rows by the slots of a pivot table, which keep what is measured apart. */
function sortOf(options: JsonObject, contents: readonly SlotContent[]): JsonObject {
  const sort = member(options, 'sort');
  if (!isObject(sort)) return {};
  if (member(sort, 'by') !== 'columns') return { sort };
  const index = member(sort, 'index');
  const place = typeof index === 'number' ? index : 0;
  const sorted = contents[place];
  if (sorted === undefined) return {};
  const alike = contents.filter((one) => isMeasure(one) === isMeasure(sorted));
  return { sort: { ...sort, by: isMeasure(sorted) ? 'measure' : 'row', index: alike.indexOf(sorted) } };
}

/**
 * What the lines in the cells of a table show: the same members and measures over a time, as a pivot table asks for
 * them. It has no more members than the item. Null where an item has no lines, or no members or measures.
 */
export function sparklineItem(item: Item): Item | null {
  const given = member(item.options, 'sparkline');
  if (item.type !== 'regular-table' || !isObject(given)) return null;
  const [time] = readEntry({ level: usualLevel, ...given, type: 'datetime' });
  const contents = item.slots.flatMap(({ name, content }) => (name === 'columns' ? content : []));
  const measures = contents.filter(isMeasure);
  const members = contents.filter((one) => !isMeasure(one));
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
