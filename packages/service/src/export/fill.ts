import { open } from 'node:fs/promises';
import {
  isNumberType,
  type Item,
  type ItemQuery,
  type Json,
  type SlotContent,
  comparedQueries,
  drilled,
  filtersOf,
  inLanguage,
  onlyOf,
  queryFor,
  readSteps,
  type FilterSelection,
  type FilterSet,
} from '@inlay/contract';
import { initialFilterOf } from '@inlay/contract/initial-filter';
import type { Caller } from '../access/caller.ts';
import { Problem } from '../problems/problem.ts';
import type { Serve, ServedRequest } from '../resource/served.ts';
import type { Reader } from '../store/store.ts';
import { namesOf } from './column-names.ts';

/** Which rows an export asks for, and how they are written. */
export interface ExportRequest {
  readonly filters: readonly FilterSet[];
  /** Levels that a viewer opened, as the request has them. */
  readonly steps: readonly Json[];
  readonly locale: string;
  readonly zone: string;
  readonly dashboardId: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

const isUnnamed = ({ label }: SlotContent): boolean => inLanguage(label, 'en') === '';

/** The items with the names of their columns and formulas, as far as the caller may see them, where the dashboard has no label for them. */
async function labelled(reader: Reader, caller: Caller, items: readonly Item[]): Promise<readonly Item[]> {
  const contents = items.flatMap(({ slots }) => slots.flatMap(({ content }) => content)).filter(isUnnamed);
  const names = await namesOf(
    reader,
    caller,
    contents.flatMap(({ columnId, formulaId }) => columnId ?? formulaId ?? []),
  );
  const named = (content: SlotContent): SlotContent =>
    isUnnamed(content)
      ? { ...content, label: names.get(content.columnId ?? content.formulaId ?? '') ?? content.label }
      : content;
  return items.map((item) => ({
    ...item,
    slots: item.slots.map(({ name, content }) => ({ name, content: content.map(named) })),
  }));
}

/** An item at the level that was opened in it, which its title says; and what that narrows it by. */
function opened(
  item: Item,
  { steps, locale }: ExportRequest,
): { readonly item: Item; readonly own: readonly FilterSet[] } {
  const taken = readSteps(steps, item.id);
  const path = [inLanguage(item.title, locale), ...taken.map(({ text }) => text)].filter((text) => text !== '');
  return {
    item: { ...drilled(item, taken), title: taken.length === 0 ? item.title : path.join(' › ') },
    own: taken.length === 0 ? [] : [{ origin: onlyOf(item.id), conditions: taken.map(({ filter }) => filter) }],
  };
}

/** An item with the query that fills it; null where it has none. */
export interface ExportItem {
  readonly item: Item;
  readonly asked: ItemQuery | null;
  /** The same for the period that a number is compared with; null where it is compared with none. */
  readonly compared: ItemQuery | null;
  /** What a viewer chose in it; null where nothing is. */
  readonly chosen: FilterSelection | null;
}

/** What a viewer chose in a filter item. */
const chosenIn = (item: Item, { filters, zone }: ExportRequest): FilterSelection | null => {
  const own = filters.filter(({ origin }) => origin === item.id).flatMap(({ conditions }) => conditions);
  return initialFilterOf(item, own.flatMap(filtersOf), zone)?.chosen ?? null;
};

/** Everything that is asked for some items, in the order in which it is answered. */
export const queriesOf = (wanted: readonly ExportItem[]): readonly ItemQuery[] =>
  wanted.flatMap(({ asked, compared }) => [asked, compared].filter((query) => query !== null));

/** Answers of a file; more of them are no picture and no table that anybody reads. */
const mostBytes = 64 * 1024 ** 2;

/** The items as they are to be filled. */
export async function wantedOf(
  reader: Reader,
  caller: Caller,
  items: readonly Item[],
  request: ExportRequest,
): Promise<readonly ExportItem[]> {
  return (await labelled(reader, caller, items)).map((one) => {
    const { item, own } = opened(one, request);
    const { locale: localeId, zone: timezoneId, dashboardId } = request;
    const viewer = { localeId, timezoneId, dashboardId };
    const { query, compared } = isNumberType(item.type)
      ? comparedQueries({ item, own }, request.filters, viewer, request.nowMs)
      : { query: queryFor({ item, own }, request.filters, viewer), compared: null };
    return { item, asked: query, compared, chosen: chosenIn(one, request) };
  });
}

const bytesOf = (chunk: string | Uint8Array): Uint8Array => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk);

/** Queries of one request to the data part. */
const mostAtOnce = 100;

/**
 * Writes the answers to the queries of some items to a file as they come, one a line, and before those of each request the place of
 * its first query; nothing of them is held. Raises Problem 400
 * `export_too_large`, what the data part raises, and what the disk says.
 */
export async function spool(
  data: Serve,
  request: ServedRequest,
  wanted: readonly ExportItem[],
  path: string,
): Promise<void> {
  const queries = queriesOf(wanted).map(({ query }) => query);
  const file = await open(path, 'w', 0o600);
  try {
    let bytes = 0;
    for (let first = 0; first < queries.length; first += mostAtOnce) {
      const asked = { queries: queries.slice(first, first + mostAtOnce) };
      const { body } = await data({ ...request, operation: 'get', asked, idempotency: null, lines: true });
      await file.appendFile(`${JSON.stringify({ first })}\n`);
      for await (const chunk of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) {
        const part = bytesOf(chunk);
        bytes += part.byteLength;
        if (bytes > mostBytes) throw new Problem('export_too_large');
        await file.appendFile(part);
      }
      await file.appendFile('\n');
    }
  } finally {
    await file.close();
  }
}
