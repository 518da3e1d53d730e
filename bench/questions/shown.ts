import {
  comparedQueries,
  comparisonKindOf,
  isList,
  isNumberType,
  isObject,
  listIn,
  member,
  memberRows,
  onlyOf,
  periodsTo,
  queryFor,
  readCondition,
  readFilterGroups,
  readItem,
  textOr,
  type FilterSet,
  type Item,
  type ItemQuery,
  type Json,
  type JsonObject,
  type ResultSlot,
} from '@inlay/contract';
import { shownCell, type Cell } from './cells.ts';

/** What an item of an answer shows. */
export interface Shown {
  readonly type: string;
  /** Cells of the groups and then of the measures. */
  readonly rows: readonly (readonly Cell[])[];
  readonly groups: number;
  /** Ids of the columns of its slots. */
  readonly columnIds: readonly string[];
  /** True if numbers are divided into bins. */
  readonly isBinned: boolean;
  /** The value of a number item, and the one it is compared with; null without a comparison. */
  readonly pair: readonly [number, number] | null;
  /** The conditions of its query as text; empty without any. */
  readonly conditions: string;
  /** Its measures, groups and filters in one line. */
  readonly description: string;
}

/** Runs a data query; raises an error where it is refused. */
export type RunQuery = (query: JsonObject) => Promise<Json>;

const itemId = 'asked';

/** The item of an answer, or of one of its alternatives, with the filters that it brings. */
interface AnswerItem {
  readonly item: Item;
  readonly filters: readonly FilterSet[];
}

/**
 * The items of an answer: the one that is drawn and then the alternatives. Filters are read from `filters` of the item
 * and from `filterGroups` of the item or the answer, as views store them.
 */
export function itemsOf(answer: Json): { readonly drawn: AnswerItem | null; readonly alternatives: AnswerItem[] } {
  if (!isObject(answer)) return { drawn: null, alternatives: [] };
  return {
    drawn: answerItem(answer),
    alternatives: listIn(answer, 'alternatives').flatMap((entry) => (isObject(entry) ? (answerItem(entry) ?? []) : [])),
  };
}

function answerItem(answer: JsonObject): AnswerItem | null {
  const chart = member(answer, 'generatedChart') ?? member(answer, 'item') ?? answer;
  if (!isObject(chart)) return null;
  const item = readItem({ ...chart, id: itemId });
  if (item === null) return null;
  const groups = [...listIn(chart, 'filterGroups'), ...(chart === answer ? [] : listIn(answer, 'filterGroups'))];
  const stored = readFilterGroups(groups).map((set) =>
    set.origin.startsWith('only:') ? { ...set, origin: onlyOf(itemId) } : set,
  );
  const own = listIn(chart, 'filters').flatMap((filter) => readCondition(filter) ?? []);
  return { item, filters: [...stored, { origin: onlyOf(itemId), conditions: own }] };
}

/** Runs the queries of an item as the element does. Null if the item needs no rows. */
export async function show({ item, filters }: AnswerItem, run: RunQuery, nowMs: number): Promise<Shown | null> {
  const asked = { item, own: [] };
  const context = { timezoneId: 'UTC', dashboardId: null };
  const { query, compared } = isNumberType(item.type)
    ? comparedQueries(asked, filters, context, nowMs)
    : { query: queryFor(asked, filters, context), compared: null };
  if (query === null) return null;
  const rows = await rowsOf(query, run);
  const contents = item.slots.flatMap(({ content }) => content);
  const shown = {
    type: item.type,
    groups: query.dimensions.length,
    columnIds: contents.flatMap(({ columnId }) => columnId ?? []),
    isBinned: query.dimensions.some(({ content }) => content !== null && content.bins !== null),
    conditions: ['where', 'having'].map((clause) => conditionsIn(query, clause)).join(''),
    description: describe(query),
  };
  if (!isNumberType(item.type) || (query.dimensions.length === 0 && compared === null))
    return { ...shown, rows: cellsOf(rows), pair: null };
  const soFar = compared === null ? null : await rowsOf(compared, run);
  return { ...shown, ...numberOf(item, query, { rows, soFar, compared }), groups: 0 };
}

type Rows = readonly (readonly Json[])[];

async function rowsOf(query: ItemQuery, run: RunQuery): Promise<Rows> {
  const answer = await run(query.query);
  return memberRows(
    query,
    (isObject(answer) ? listIn(answer, 'data') : []).flatMap((row) => (isList(row) ? [row] : [])),
  );
}

const cellsOf = (rows: Rows): readonly (readonly Cell[])[] => rows.map((row) => row.map(shownCell));

interface NumberRows {
  readonly rows: Rows;
  readonly soFar: Rows | null;
  readonly compared: ItemQuery | null;
}

/** The value of the last period of a number item, and that of the period it is compared with. */
function numberOf(item: Item, query: ItemQuery, { rows, soFar, compared }: NumberRows): Pick<Shown, 'rows' | 'pair'> {
  if (compared?.periods?.level === null) {
    // A filter chooses both periods.
    const [now, then] = [rows, soFar ?? []].map((from) => total(from, query.dimensions.length));
    return { rows: [[now ?? 0]], pair: [now ?? 0, then ?? 0] };
  }
  const valueAt = (from: Rows, period: number): number | null => {
    const row = from.find(([time]) => typeof time === 'string' && Date.parse(time) === period);
    const value = row?.[query.dimensions.length];
    return typeof value === 'number' ? value : null;
  };
  const starts = rows.flatMap(([time]) => (typeof time === 'string' ? [Date.parse(time)] : []));
  if (starts.length === 0) return { rows: [], pair: null };
  const last = Math.max(...starts);
  const isOpen = compared?.periods?.isOpen === true && compared.periods.chosen.from === last;
  const source = isOpen && soFar !== null ? soFar : rows;
  const value = valueAt(source, last);
  const level = query.dimensions[0]?.content?.level ?? 0;
  const before = periodsTo(last, level, comparisonKindOf(item))?.compared.from;
  const other = before === undefined ? null : valueAt(source, before);
  return { rows: [[value]], pair: value === null || other === null ? null : [value, other] };
}

function total(rows: Rows, place: number): number {
  return rows.reduce((sum, row) => sum + Number(row[place] ?? 0), 0);
}

function conditionsIn({ query }: ItemQuery, clause: string): string {
  const conditions = listIn(query, clause);
  return conditions.length === 0 ? '' : `; ${clause} ${JSON.stringify(conditions)}`;
}

function describe(itemQuery: ItemQuery): string {
  const { query, dimensions, measures } = itemQuery;
  const named = ({ content }: ResultSlot): string => {
    if (content === null) return 'rows';
    const { label, aggregation, level, part, bins, formula } = content;
    const name = formula ?? textOr(label, JSON.stringify(label));
    return [name, aggregation, part, level === null ? null : `level ${level}`, bins === null ? null : `${bins} bins`]
      .filter((word) => word !== null)
      .join(' ');
  };
  const limit = member(query, 'limit');
  const by = isObject(limit) ? member(limit, 'by') : null;
  const limited = typeof by === 'number' && by < 10_000 ? `; at most ${by}` : '';
  return `${measures.map(named).join(', ')} by ${dimensions.map(named).join(', ') || 'nothing'}${conditionsIn(itemQuery, 'where')}${conditionsIn(itemQuery, 'having')}${limited}`;
}
