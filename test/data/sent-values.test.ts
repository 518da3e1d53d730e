import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { isObject } from '@inlay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { oneStore } from '../support/service.ts';
import { randomOf } from '../support/tenant-queries.ts';
import { datasetIn, part, text } from '../support/world.ts';
import { sentText, uploaded } from './own-rows.ts';
import {
  csvText,
  linesText,
  ofParquet,
  ofSheet,
  pushText,
  workbook,
  writeParquet,
  type SentRows,
} from './sent-files.ts';
import {
  areTooLong,
  isSame,
  isStranger,
  oneOf,
  profiles,
  type Random,
  type Sent,
  type StoredCell,
} from './sent-values.ts';

const ways = ['push', 'csv', 'ndjson', 'parquet', 'xlsx'] as const;
type Way = (typeof ways)[number];
const contentTypes = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
const modes = ['append', 'append', 'upsert', 'upsert', 'replace'] as const;

const names = ['key', 'one', 'two', 'three'];

/** What a dataset must have: its rows as they were sent, by their keys' text. */
interface Expected {
  readonly id: string;
  rows: readonly (readonly Sent[])[];
  stored: readonly (readonly StoredCell[])[];
}

/** Most batches are small; some are as large as what the readers take at once, or look at first. */
const sizes = [
  ...[0, 1, 2, 3, 5, 8, 20].flatMap((size) => Array.from({ length: 8 }, () => size + 1)),
  2000,
  2001,
  2048,
  5001,
];

function batchOf(random: Random, size: number, chosen: readonly string[]): SentRows {
  const rows = Array.from({ length: size }, () => [
    { kind: 'text', text: `k${random(40)}` } as const,
    ...chosen.map((name) => (random(6) === 0 ? null : (profiles[name]?.(random) ?? null))),
  ]);
  return { names, rows };
}

/** What files make of cells: those of CSV are texts, which say nothing else of themselves. */
const made: Readonly<Record<Way, (sent: Sent, profile: string) => Sent>> = {
  push: (sent) => sent,
  ndjson: (sent) => sent,
  csv: (sent) => (sent === null ? null : { kind: 'text', text: sent.text }),
  parquet: ofParquet,
  xlsx: ofSheet,
};

const nothing: StoredCell = { text: null, type: '' };

const keyOf = (row: readonly Sent[]): string => row[0]?.text ?? '';

function joined(before: SentRows['rows'], mode: string, rows: SentRows['rows']): SentRows['rows'] {
  if (mode === 'append') return [...before, ...rows];
  if (mode !== 'upsert') return rows;
  const last = new Map(rows.map((row, index) => [keyOf(row), index]));
  return [
    ...before.filter((row) => !last.has(keyOf(row))),
    ...rows.filter((row, index) => last.get(keyOf(row)) === index),
  ];
}

describe('cells of any kind, whichever way they come in and in whatever order', () => {
  const api = useApi(oneStore, {});
  const upload = uploaded(api);
  const folder = mkdtempSync(join(tmpdir(), 'inlay-sent-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function send(
    way: Way,
    mode: string,
    id: string | null,
    sent: SentRows,
    chosen: readonly string[],
    random: Random,
  ) {
    if (way === 'push') {
      const options = { header: true, ...(mode === 'upsert' ? { key: ['key'] } : {}) };
      const properties = JSON.stringify({ type: mode, ...(id === null ? {} : { securable_id: id }), options });
      const data = pushText(sent);
      const answer: unknown = JSON.parse(
        await sentText(api, `{"action":"create","properties":${properties.slice(0, -1)},"data":${data}}}`),
      );
      return { body: part(answer, 'code') === undefined ? datasetIn(answer) : answer, sent: sent.rows };
    }
    const query = `type=${mode}${id === null ? '' : `&securable_id=${id}`}${mode === 'upsert' ? '&key=key' : ''}${way === 'csv' ? '&header=true' : ''}`;
    const path = join(folder, 'rows.parquet');
    if (way === 'parquet') await writeParquet(path, sent, ['words', ...chosen]);
    const bytes =
      way === 'csv'
        ? Buffer.from(csvText(sent, random))
        : way === 'ndjson'
          ? Buffer.from(linesText(sent))
          : way === 'xlsx'
            ? workbook(sent)
            : readFileSync(path);
    const { body } = await upload(query, contentTypes[way], bytes);
    const kinds = ['words', ...chosen];
    return { body, sent: sent.rows.map((row) => row.map((cell, at) => made[way](cell, kinds[at] ?? ''))) };
  }

  /** Returns the rows of the version that is read now, by another reader than the service's. */
  async function stored(id: string, of: readonly string[] = names): Promise<readonly (readonly StoredCell[])[]> {
    const home = join(api.service.dataDir, 'datasets', api.organizationId, id);
    const version =
      readdirSync(home)
        .filter((name) => name.endsWith('.duckdb'))
        .toSorted()
        .at(-1) ?? '';
    const database = await DuckDBInstance.create(':memory:');
    const connection = await database.connect();
    await connection.run(`set timezone = 'UTC'`);
    await connection.run(`attach '${join(home, version)}' as v (read_only)`);
    // As bytes: the driver takes a byte order mark off a text.
    const cells = of.map((name) => `hex("${name}"::VARCHAR)`).join(', ');
    const kinds = of.map((name) => `typeof("${name}")`).join(', ');
    const rows = (await connection.runAndReadAll(`select ${cells} from v.main."rows"`)).getRows();
    const kind = (await connection.runAndReadAll(`select ${kinds} from v.main."rows" limit 1`)).getRows()[0] ?? [];
    connection.closeSync();
    database.closeSync();
    return rows.map((row) =>
      row.map((cell, at) => ({
        text: cell === null ? null : Buffer.from(String(cell), 'hex').toString(),
        type: String(kind[at]),
      })),
    );
  }

  /** Returns the first cell that is not what was sent, for people. */
  function difference({ rows }: Expected, found: readonly (readonly StoredCell[])[]): string | null {
    if (rows.length !== found.length) return `${rows.length} rows were sent, ${found.length} are there`;
    for (const [at, row] of rows.entries())
      for (const [index, sent] of row.entries()) {
        const cell = found[at]?.[index];
        if (cell === undefined || !isSame(sent, cell))
          return `row ${at + 1}, ${names[index]}: ${JSON.stringify(sent)} is ${JSON.stringify(cell)}`;
      }
    return null;
  }

  /** Rows as they were sent in the order in which they lie: those with a key may lie anywhere. */
  function inOrder(rows: SentRows['rows'], found: readonly (readonly StoredCell[])[]): SentRows['rows'] {
    const open = new Map<string, (readonly Sent[])[]>();
    for (const row of rows) open.set(keyOf(row), [...(open.get(keyOf(row)) ?? []), row]);
    const lying = found.map((cells) => {
      const some = open.get(cells[0]?.text ?? '') ?? [];
      const at = some.findIndex((row) => row.every((sent, index) => isSame(sent, cells[index] ?? nothing)));
      return at < 0 ? [] : some.splice(at, 1);
    });
    return lying.every(({ length }) => length === 1) ? lying.flat() : rows;
  }

  /** True if a refusal names a cell that may be refused. */
  function isJust(body: unknown, rows: SentRows['rows'], { stored: before }: Expected): boolean {
    const [, row, column] = /row (\d+), column (\w+): not /u.exec(text(body, 'message')) ?? [];
    const index = names.indexOf(column ?? '');
    const type = before[0]?.[index]?.type;
    if (text(body, 'message').includes('all digits')) {
      const held = before.map((cells) => cells[index]?.text ?? '');
      return areTooLong([...held, ...rows.map((cells) => cells[index]?.text ?? '')]);
    }
    const sent = rows[Number(row) - 1]?.[index];
    return type !== undefined && sent !== undefined && isStranger(sent, type);
  }

  const batches = counted(40, 5000);
  const together = 10;
  it.each(Array.from({ length: Math.ceil(batches / together / 10) }, (_, index) => index))(
    'come out as they went in, or are refused by row and column (%i)',
    { timeout: 600_000 },
    async (index) => {
      for (let turn = 0; turn < 10; turn += 1) {
        const seed = index * 10 + turn;
        const random = randomOf(seed).below;
        let chosen = names.slice(1).map(() => oneOf(random, Object.keys(profiles)));
        let expected: Expected | null = null;
        for (let at = 0; at < together; at += 1) {
          const [way, mode] = [oneOf(random, ways), at === 0 ? 'create' : oneOf(random, modes)];
          chosen = chosen.map((name) => (random(4) === 0 ? oneOf(random, Object.keys(profiles)) : name));
          const sent = batchOf(random, oneOf(random, sizes), chosen);
          const says = `seed ${seed}, batch ${at}: ${mode} by ${way} of ${chosen.join(', ')}`;
          const answer = await send(way, mode, expected?.id ?? null, sent, chosen, random);
          if (isObject(answer.body) && 'code' in answer.body) {
            const { code } = answer.body;
            expect(code, `${says} ${JSON.stringify(answer.body)}`).toBe('rows_invalid');
            if (expected === null || !isJust(answer.body, answer.sent, expected))
              throw new Error(`${says}: ${JSON.stringify(answer.body)}`);
          } else {
            const now: Expected = {
              id: text(answer.body, 'id'),
              rows: joined(expected?.rows ?? [], mode, answer.sent),
              stored: [],
            };
            now.stored = await stored(now.id);
            if (mode === 'upsert') now.rows = inOrder(now.rows, now.stored);
            expect(difference(now, now.stored), says).toBeNull();
            expect(part(answer.body, 'rows')).toBe(now.rows.length);
            expected = now;
          }
        }
        if (expected !== null) await api.remove('securable', expected.id);
      }
    },
  );

  /** Rows whose last ones begin and end at a place in the file, within a text of several lines. */
  function rowsAround(
    way: 'csv' | 'ndjson',
    bytes: number,
  ): { readonly content: string; readonly rows: SentRows['rows'] } {
    const row = (at: number): readonly Sent[] => [
      { kind: 'number', text: String(at % 7 === 0 ? at + 0.5 : at) },
      { kind: 'text', text: `two\nlines, ${'é'.repeat(at % 50)}"${at}"` },
    ];
    const rows: (readonly Sent[])[] = [];
    const lines: string[] = way === 'csv' ? ['n,t\n'] : [];
    for (let size = 0; size < bytes + 200; size += Buffer.byteLength(lines.at(-1) ?? '')) {
      const [number, words] = row(rows.length);
      const [n, t] = [number?.text ?? '', words?.text ?? ''];
      lines.push(way === 'csv' ? `${n},"${t.replaceAll('"', '""')}"\n` : `{"n":${n},"t":${JSON.stringify(t)}}\n`);
      rows.push([way === 'csv' ? { kind: 'text', text: n } : (number ?? null), words ?? null]);
    }
    return { content: lines.join(''), rows };
  }

  // What the readers take of a file at once: the look at its start, the pieces of the stream, those of DuckDB's reader and its threads.
  const blocks = [65_536, 1_048_576, ...(counted(0, 1) === 0 ? [] : [8_000_000, 16_777_216, 32_000_000])];
  it.each(blocks.flatMap((bytes) => (['csv', 'ndjson'] as const).map((way) => [way, bytes] as const)))(
    'come out as they went in from %s where a row lies across byte %i',
    { timeout: 600_000 },
    async (way, bytes) => {
      for (const pad of [0, 1, 13, 40].slice(0, counted(2, 4))) {
        const { content, rows } = rowsAround(way, bytes);
        const padded = way === 'csv' ? content.replace('n,t', `n,t${'x'.repeat(pad)}`) : `${' '.repeat(pad)}${content}`;
        // The service lives in this process, and sheds load where making rows kept it busy.
        await setTimeout(bytes > 10_000_000 ? 3000 : 0);
        const { body } = await upload('type=create', contentTypes[way], Buffer.from(padded));
        const id = text(body, 'id');
        const found = await stored(id, ['n', way === 'csv' ? `t${'x'.repeat(pad)}` : 't']);
        expect(difference({ id, rows, stored: [] }, found)).toBeNull();
        await api.remove('securable', id);
      }
    },
  );
});
