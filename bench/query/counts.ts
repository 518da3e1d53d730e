// npm run bench:counts: the independent count of the rows of a file beside all of its ingest, in alternating rounds of one run.
// BENCH_ROWS says how many rows the CSV and NDJSON files have; the workbook has a twentieth.
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { utf8File } from '../../packages/service/src/engine/child/read/encoding.ts';
import { scanCsv } from '../../packages/service/src/engine/child/read/csv-scan.ts';
import { LineCounter } from '../../packages/service/src/engine/child/read/json-lines.ts';
import type { IngestSpec } from '../../packages/service/src/engine/engine.ts';
import { openArchive } from '../../packages/service/src/workbook/archive.ts';
import { RowCounter } from '../../packages/service/src/workbook/row-count.ts';
import { startTestEngine } from '../../test/support/engine.ts';
import { workbookOf } from '../../test/support/workbooks.ts';
import { median, say, timed } from '../measure.ts';
import { rowsOf } from './data.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);

const engine = startTestEngine();
const folder = join(engine.dataDir, 'uploads');
mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'inlay-bench-counts-'));
const paths = {
  csv: join(folder, 'rows.csv'),
  quoted: join(folder, 'quoted.csv'),
  ndjson: join(folder, 'rows.ndjson'),
  xlsx: join(folder, 'rows.xlsx'),
};

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
await connection.run(`copy (${rowsOf(rows)}) to '${paths.csv}' (format csv, header)`);
await connection.run(`copy (${rowsOf(rows)}) to '${paths.quoted}' (format csv, header, force_quote *)`);
await connection.run(`copy (${rowsOf(rows)}) to '${paths.ndjson}' (format json)`);
connection.closeSync();
instance.closeSync();
const cells = (row: number): string =>
  `<c r="A${row}"><v>${row}</v></c><c r="B${row}" t="inlineStr"><is><t>name ${row % 97}</t></is></c><c r="C${row}"><v>${row / 7}</v></c>`;
const sheet = Array.from({ length: rows / 20 }, (_, row) => `<row r="${row + 1}">${cells(row + 1)}</row>`).join('');
await writeFile(paths.xlsx, workbookOf(sheet));

async function countCsv(path: string): Promise<void> {
  await utf8File(path, null, true, join(scratch, 'utf8'));
  await scanCsv(path, 0, ',');
}

/** What counts the rows of each format, alone. */
const counts: Readonly<Record<keyof typeof paths, () => Promise<unknown>>> = {
  csv: () => countCsv(paths.csv),
  quoted: () => countCsv(paths.quoted),
  ndjson: async () => {
    const counter = new LineCounter();
    for await (const chunk of createReadStream(paths.ndjson, { highWaterMark: 1024 * 1024 }))
      if (Buffer.isBuffer(chunk)) counter.take(chunk);
  },
  xlsx: async () => {
    const counter = new RowCounter();
    const archive = await openArchive(paths.xlsx);
    for await (const chunk of await archive.read('xl/worksheets/sheet1.xml'))
      if (chunk instanceof Uint8Array) counter.take(chunk);
    archive.close();
  },
};

const sources: Readonly<Record<keyof typeof paths, IngestSpec['source']>> = {
  csv: { kind: 'file', format: 'csv', path: paths.csv },
  quoted: { kind: 'file', format: 'csv', path: paths.quoted },
  ndjson: { kind: 'file', format: 'ndjson', path: paths.ndjson },
  xlsx: { kind: 'workbook', path: paths.xlsx, sheet: null, header: false },
};

for (const format of ['csv', 'quoted', 'ndjson', 'xlsx'] as const) {
  const counted: number[] = [];
  const stored: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    counted.push(await timed(counts[format]));
    stored.push(await timed(() => engine.write({ version: `${format}${round}`, source: sources[format] })));
  }
  const [count, ingest] = [median(counted), median(stored)];
  const megabytes = statSync(paths[format]).size / 1024 ** 2;
  say(
    `${format}, ${megabytes.toFixed(0)} MB: count ${count.toFixed(0)} ms of ${ingest.toFixed(0)} ms, ${((100 * count) / ingest).toFixed(1)} %`,
  );
}
await engine.stop();
rmSync(scratch, { recursive: true, force: true });
