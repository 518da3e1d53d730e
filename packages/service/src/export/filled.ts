import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  inWords,
  isList,
  isObject,
  member,
  memberRows,
  objectOr,
  type ItemQuery,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { FilledItem } from './drawing/drawing.ts';
import { queriesOf, type ExportItem } from './fill.ts';

type ItemRows = Pick<FilledItem, 'rows' | 'truncated' | 'failure'>;

/** Why a query failed: each fault of it with its place, else its message. */
function failureOf(error: JsonObject): string {
  const faults = Object.entries(objectOr(member(error, 'validation'))).flatMap(([at, told]) =>
    isList(told) ? told.map((fault) => `${at.replace(/^find\.(?:queries\[\d+\]\.)?/u, '')} ${inWords(fault)}`) : [],
  );
  return faults.length === 0 ? inWords(member(error, 'message')) : faults.join('; ').slice(0, 500);
}

function answered(asked: ItemQuery, answer: Json): ItemRows {
  const nothing = { rows: [], truncated: false };
  if (!isObject(answer)) return { ...nothing, failure: 'There was no answer.' };
  const error = member(answer, 'error');
  if (error !== undefined && isObject(error)) return { ...nothing, failure: failureOf(error) };
  const rows = member(answer, 'data');
  return {
    rows: rows !== undefined && isList(rows) ? memberRows(asked, rows.filter(isList)) : [],
    truncated: member(answer, 'truncated') === true,
    failure: null,
  };
}

/** The items with their rows, from a file of answers: one a line, each with the index of its query among those of its request. */
export async function readFilled(path: string, wanted: readonly ExportItem[]): Promise<readonly FilledItem[]> {
  const answers = new Map<number, Json>();
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  let first = 0;
  for await (const line of lines) {
    const read = objectOr(line === '' ? null : JSON.parse(line));
    const [start, index] = [member(read, 'first'), member(read, 'index')];
    if (typeof start === 'number') first = start;
    if (typeof index === 'number') answers.set(first + index, read);
  }
  const queries = queriesOf(wanted);
  const rowsOf = (asked: ItemQuery): ItemRows => answered(asked, answers.get(queries.indexOf(asked)) ?? null);
  return wanted.map(({ compared, ...one }): FilledItem => {
    const second = compared === null ? null : { asked: compared, rows: rowsOf(compared).rows };
    const own = one.asked === null ? { rows: [], truncated: false, failure: null } : rowsOf(one.asked);
    return { ...one, second, ...own };
  });
}
