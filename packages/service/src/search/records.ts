import { isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Resource } from '../resource/define.ts';
import { freshRecord, varietyOf } from '../declare/properties.ts';
import { recordOf, mainTable, storedColumns, storedOf, tableOf } from '../resource/tables.ts';
import { withPlaces } from '../declare/secrets.ts';
import { included } from './write-includes.ts';
import type { SearchContext, VisibleRecord } from './visible-records.ts';
import type { Find, Include } from './find.ts';
import { list, sql } from '../store/sql.ts';
import { nextRound } from '../concurrency/turns.ts';

/** Which fields and includes of a record an answer contains. */
export interface View {
  readonly attributes: Find['attributes'];
  readonly include: readonly Include[];
}

const wholeView: View = { attributes: null, include: [] };

/** Adds missing fields to a record with an older structure, and upgrades its contents. */
function completed(resource: Resource, readRecord: JsonObject): JsonObject {
  const completeRecord = { ...freshRecord(resource, varietyOf(resource, readRecord)), ...readRecord };
  return resource.upgrade === undefined ? completeRecord : resource.upgrade(completeRecord);
}

/** Returns a stored record in the current structure, with null for fields that the caller may not see. */
function objectOf(resource: Resource, { stored, hiddenFields }: VisibleRecord): JsonObject {
  const readRecord = recordOf(stored);
  const record = stored.current ? readRecord : completed(resource, readRecord);
  return hiddenFields.length === 0
    ? record
    : { ...record, ...Object.fromEntries(hiddenFields.map((field) => [field, null])) };
}

/** Loads the records of other resources that are embedded in each of these records, by alias. */
async function embedded(
  context: SearchContext,
  resource: Resource,
  visibleRecords: readonly VisibleRecord[],
): Promise<readonly JsonObject[]> {
  const embeds = Object.entries(resource.embeds ?? {});
  if (embeds.length === 0) return visibleRecords.map(() => ({}));
  const ids = [...new Set(visibleRecords.flatMap(({ stored }) => stored.organizationId ?? []))];
  const embeddedRecords = await Promise.all(
    embeds.map(async ([alias, of]) => {
      const embeddedResource = context.registry.resource(of);
      const rows = await context.reader.rows(
        sql`select ${storedColumns(mainTable)} from ${tableOf(embeddedResource)} t where t.id in ${list(ids)}`,
      );
      return {
        alias,
        records: new Map(rows.map(storedOf).map((storedRecord) => [storedRecord.id, recordOf(storedRecord)])),
      };
    }),
  );
  return visibleRecords.map(({ stored }) =>
    Object.fromEntries(
      embeddedRecords.map(({ alias, records }) => [alias, records.get(stored.organizationId ?? '') ?? null]),
    ),
  );
}

const pickFields = (record: JsonObject, attributes: View['attributes']): JsonObject =>
  attributes === null
    ? record
    : Object.fromEntries(Object.entries(record).filter(([field]) => field === 'id' || attributes.includes(field)));

/** Number of iterations after which other requests get a turn. */
const roundsTogether = 2000;

/** Records and their includes, by index, ready to be written. */
interface PreparedRecord {
  /** Returns a record without its includes. */
  readonly recordAt: (index: number) => JsonObject;
  /** Yields the JSON text of a record with its includes, in pieces, since a record can have many. */
  readonly textAt: (index: number, link?: JsonObject) => Generator<string>;
}

/**
 * Charges the budget for repeated records: one that several others include is read once, but written with each of them.
 * Raises Problem `answer_too_large`.
 */
async function affordRepeats(
  { budget }: SearchContext,
  rows: readonly VisibleRecord[],
  times: readonly number[],
): Promise<void> {
  let repeats = 0;
  let bytes = 0;
  for (const [index, { stored }] of rows.entries()) {
    const more = (times[index] ?? 1) - 1;
    repeats += more;
    bytes += more * stored.text.length;
  }
  if (repeats > 0) await budget?.take(repeats, bytes);
}

/**
 * Reads the records of an include. Returns a function that yields their text for a parent's id. `times`: how often each
 * parent is written.
 */
async function textsOfInclude(
  context: SearchContext,
  resource: Resource,
  visibleRecords: readonly VisibleRecord[],
  times: readonly number[] | null,
  include: Include,
) {
  const timesOf = new Map<string, number>();
  for (const [index, { stored }] of visibleRecords.entries()) {
    if (index % roundsTogether === roundsTogether - 1) await nextRound();
    timesOf.set(stored.id, (timesOf.get(stored.id) ?? 0) + (times?.[index] ?? 1));
  }
  const rows = await included(context, resource, [...timesOf.keys()], include);
  const rowTimes = rows.map(({ parent = '' }) => timesOf.get(parent) ?? 1);
  await affordRepeats(context, rows, rowTimes);
  const { textAt } = await prepareRecords(context, include.target, rows, include, rowTimes);
  const byParent = new Map<string, number[]>();
  for (const [index, { parent = '' }] of rows.entries()) {
    if (index % roundsTogether === roundsTogether - 1) await nextRound();
    const indexes = byParent.get(parent);
    if (indexes === undefined) byParent.set(parent, [index]);
    else indexes.push(index);
  }
  const isSingle = include.association.relation.kind === 'reference' || include.association.single === true;
  return function* textOf(id: string): Generator<string> {
    const children = byParent.get(id) ?? [];
    const shownChildren = isSingle ? children.slice(0, 1) : children;
    yield `,${JSON.stringify(include.alias)}:${isSingle ? '' : '['}`;
    for (const [place, index] of shownChildren.entries()) {
      if (place > 0) yield ',';
      yield* textAt(index, rows[index]?.link);
    }
    if (!isSingle) yield ']';
    else if (shownChildren.length === 0) yield 'null';
  };
}

/**
 * Reads embedded and included records. `times`: how often each record is written; null for once. Raises Problem
 * `answer_too_large`.
 */
async function prepareRecords(
  context: SearchContext,
  resource: Resource,
  visibleRecords: readonly VisibleRecord[],
  view: View,
  times: readonly number[] | null = null,
): Promise<PreparedRecord> {
  const embeddedParts = await embedded(context, resource, visibleRecords);
  const includedTexts = await Promise.all(
    view.include.map((include) => textsOfInclude(context, resource, visibleRecords, times, include)),
  );
  const at = (index: number): VisibleRecord => {
    const visibleRecord = visibleRecords[index];
    if (visibleRecord === undefined) throw new Error('a record that was not seen');
    return visibleRecord;
  };
  const recordAt = (index: number): JsonObject => {
    const record = { ...objectOf(resource, at(index)), ...embeddedParts[index] };
    const presentedRecord =
      resource.present === undefined || context.caller === null ? record : resource.present(record, context.caller);
    return pickFields(presentedRecord, view.attributes);
  };
  return {
    recordAt,
    *textAt(index, link) {
      yield JSON.stringify(recordAt(index)).slice(0, -1);
      for (const textOf of includedTexts) yield* textOf(at(index).stored.id);
      yield link === undefined ? '}' : `,"link":${JSON.stringify(link)}}`;
    },
  };
}

/** Returns records as the caller may see them. */
export async function recordsOf(
  context: SearchContext,
  resource: Resource,
  visibleRecords: readonly VisibleRecord[],
): Promise<readonly JsonObject[]> {
  const { recordAt } = await prepareRecords(context, resource, visibleRecords, wholeView);
  return visibleRecords.map((_one, index) => recordAt(index));
}

const isPlain = (resource: Resource, view: View): boolean =>
  view.attributes === null &&
  view.include.length === 0 &&
  resource.embeds === undefined &&
  resource.present === undefined;

/**
 * Returns a function that writes records as JSON text on demand, in pieces. A current record without hidden fields is
 * passed on as stored, which accounts for most of the speed of reads.
 */
async function prepareTexts(
  context: SearchContext,
  resource: Resource,
  visibleRecords: readonly VisibleRecord[],
  view: View,
): Promise<(index: number) => Iterable<string>> {
  if (!isPlain(resource, view)) {
    const { textAt } = await prepareRecords(context, resource, visibleRecords, view);
    return (index) => textAt(index);
  }
  return (index) => {
    const visibleRecord = visibleRecords[index];
    if (visibleRecord === undefined) throw new Error('a record that was not seen');
    return [
      visibleRecord.stored.current && visibleRecord.hiddenFields.length === 0
        ? visibleRecord.stored.text
        : JSON.stringify(objectOf(resource, visibleRecord)),
    ];
  };
}

/** Returns records as JSON text. */
export async function textsOf(
  context: SearchContext,
  resource: Resource,
  visibleRecords: readonly VisibleRecord[],
  view: View = wholeView,
): Promise<readonly string[]> {
  const textAt = await prepareTexts(context, resource, visibleRecords, view);
  return visibleRecords.map((_one, index) => [...textAt(index)].join(''));
}

/** Characters per piece of a long answer. */
const pieceCharacters = 262_144;

/** Splits a text into pieces without splitting surrogate pairs. */
function* slicesOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > pieceCharacters) {
    const isHalf = (text.charCodeAt(start + pieceCharacters - 1) & 0xfc00) === 0xd800;
    const end = start + pieceCharacters + (isHalf ? 1 : 0);
    yield text.slice(start, end);
    start = end;
  }
  yield start === 0 ? text : text.slice(start);
}

/**
 * Returns a generator of records as JSON texts, separated by commas, in pieces of about 256 KiB. Each piece is written
 * after the previous one was consumed. Raises Problem `answer_too_large` before the first piece.
 */
export async function piecesOf(
  context: SearchContext,
  resource: Resource,
  visibleRecords: readonly VisibleRecord[],
  view: View,
): Promise<() => AsyncGenerator<string>> {
  const textAt = await prepareTexts(context, resource, visibleRecords, view);
  return async function* pieces() {
    let piece: string[] = [];
    let letters = 0;
    for (let index = 0; index < visibleRecords.length; index += 1) {
      if (index > 0) piece.push(',');
      for (const text of textAt(index)) {
        for (const slice of slicesOf(text)) {
          piece.push(slice);
          letters += slice.length;
          if (letters < pieceCharacters) continue;
          yield piece.join('');
          await nextRound();
          piece = [];
          letters = 0;
        }
      }
    }
    yield piece.join('');
  };
}

/** Returns the record of a write as JSON text, including the secrets of its request and members shown only once. */
export async function writtenText(
  context: SearchContext,
  resource: Resource,
  visibleRecord: VisibleRecord,
  carriedSecrets: JsonObject,
  shownFields: JsonObject,
): Promise<string> {
  if (Object.keys(carriedSecrets).length === 0 && Object.keys(shownFields).length === 0)
    return (await textsOf(context, resource, [visibleRecord]))[0] ?? '';
  const [record] = await recordsOf(context, resource, [visibleRecord]);
  const revealedSecrets = Object.entries(carriedSecrets).map(
    ([place, value]) => [place, unsealed(resource, place, value)] as const,
  );
  return JSON.stringify({ ...withPlaces(record ?? {}, Object.fromEntries(revealedSecrets)), ...shownFields });
}

/** Parses a secret that is an object; it is stored as JSON text. */
function unsealed(resource: Resource, place: string, value: Json): Json {
  if (resource.fields[place]?.kind !== 'sealed' || typeof value !== 'string') return value;
  const parsedValue: Json = JSON.parse(value);
  return isObject(parsedValue) ? parsedValue : value;
}
