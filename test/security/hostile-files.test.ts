import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { workbookOf } from '../support/workbooks.ts';

const types = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `c${at}`);

const many = counted(2000, 100_000);

/** Small files that stand for much, and what is said of them. */
const hostile: readonly (readonly [string, keyof typeof types, () => Buffer, RegExp])[] = [
  [
    'a workbook of 20,000 rows in its last column',
    'xlsx',
    () =>
      workbookOf(
        Array.from({ length: 20_000 }, (_, at) => `<row r="${at + 1}"><c r="XFD${at + 1}"><v>1</v></c></row>`).join(''),
      ),
    /row 1, column XFD: a value past column SF/u,
  ],
  [
    'a workbook whose texts unpack to hundreds of times their size',
    'xlsx',
    () =>
      workbookOf('', Array.from({ length: 600 }, (_, at) => `<si><t>${at}${'xyz'.repeat(10_000)}</t></si>`).join('')),
    /unpacks to more/u,
  ],
  [
    'CSV of 501 columns',
    'csv',
    () => Buffer.from(`${names(501).join(',')}\n${names(501).join(',')}\n`),
    /row 1, column 501/u,
  ],
  [
    `CSV of ${many} columns`,
    'csv',
    () => Buffer.from(`${names(many).join(',')}\n`),
    /row 1, column 501|send fewer columns/u,
  ],
  [
    `NDJSON of ${many} members`,
    'ndjson',
    () =>
      Buffer.from(
        `{${names(many)
          .map((name) => `"${name}":1`)
          .join(',')}}\n`,
      ),
    /row 1, column 501|send fewer columns/u,
  ],
  [
    'NDJSON in which lists lie 100,000 deep',
    'ndjson',
    () => Buffer.from(`{"a":${'['.repeat(100_000)}\n`),
    /format|line/u,
  ],
  ['Parquet that is none', 'parquet', () => Buffer.from(`PAR1${'\u0000'.repeat(1000)}PAR1`), /format|damaged/u],
];

describe('a file that stands for much', () => {
  const api = useApi('sqlite', {});
  const upload = async (type: keyof typeof types, payload: Buffer) => {
    const { key, token } = api.owner;
    const answer = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/data/file?name=Sales&header=true',
      headers: { authorization: `Bearer ${key}:${token}`, 'content-type': types[type] },
      payload,
    });
    return { status: answer.statusCode, body: answer.body };
  };

  it('is refused with row and column, or what is wrong, while others are answered; nothing of it is left', async () => {
    const before = process.memoryUsage().rss;
    let longest = 0;
    let last = performance.now();
    const pulse = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    for (const [name, type, make, says] of hostile) {
      const bytes = make();
      last = performance.now();
      const answers = await Promise.all([upload(type, bytes), upload('csv', Buffer.from('a\n1\n'))]);
      expect(
        answers.map(({ status }) => status),
        `${name}: ${answers[0].body}`,
      ).toEqual([400, 200]);
      expect(answers[0].body, name).toMatch(says);
    }
    clearInterval(pulse);
    expect(longest).toBeLessThan(1000);
    expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(300);
    expect(readdirSync(join(api.service.dataDir, 'uploads'))).toEqual([]);
  }, 120_000);
});
