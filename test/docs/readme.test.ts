import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { chartTypes, filterTypes } from '@inlay/contract';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, startBrowser } from '../browser/page.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgres, type Postgres } from '../support/postgres.ts';
import { startService, type ServiceProcess } from '../support/process.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
it('counts the types of charts and filters that there are', () => {
  expect(readme).toContain(`${chartTypes.length} chart types, ${filterTypes.length} filters`);
});

const key = randomUUID();
const token = randomBytes(32).toString('base64url');

const tour = readFileSync(join(root, 'docs/guides/tour.md'), 'utf8');
const blocks = [...tour.matchAll(/^```sh\n(.*?)^```$/gmsu)].map(([, commands = '']) => commands);
const parting = '----- next block -----';

const held: { service?: ServiceProcess; database?: Postgres; folder?: string; answers: readonly string[] } = {
  answers: [],
};

/** Commands as they stand, but for addresses and credentials, and no web server that goes on. */
function commandsOf(url: string, database: URL, pluginPort: number): string {
  const given = {
    '^export INLAY=.*$': `export INLAY=${url}/0.1.0 KEY=${key} TOKEN=${token}`,
    '^export PGHOST=.*$': `export PGHOST=127.0.0.1 PGPORT=${database.port} PGDATABASE=${database.pathname.slice(1)} PGUSER=reader PGPASSWORD=s3cret`,
    '^python3 -m http.server .*$': '',
    '\\b4040\\b': String(pluginPort),
    '^PLUGIN_SECRET=': `PORT=${pluginPort} PLUGIN_SECRET=`,
  };
  const text = blocks.slice(1).join(`echo '${parting}'\n`);
  return Object.entries(given).reduce((all, [pattern, by]) => all.replaceAll(new RegExp(pattern, 'gmu'), by), text);
}

async function shopDatabase(server: Postgres): Promise<URL> {
  const url = await server.createDatabase();
  const sql = postgres(url);
  await sql.unsafe(`create table orders (country text, amount numeric); insert into orders values ('Belgium', 10);
    create role reader login password 's3cret'; grant select on orders to reader`);
  await sql.end();
  return new URL(url);
}

describe('the tour', () => {
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inlay-tour-'));
    held.folder = folder;
    for (const name of ['examples', 'node_modules', 'package.json']) symlinkSync(join(root, name), join(folder, name));
    held.database = await startPostgres();
    const database = await shopDatabase(held.database);
    held.service = await startService({
      cwd: folder,
      env: {
        INLAY_DATA_DIR: './data',
        INLAY_ALLOW_PRIVATE_HOSTS: 'true',
        INLAY_BOOTSTRAP_KEY: key,
        INLAY_BOOTSTRAP_TOKEN: token,
      },
    });
    const commands = commandsOf(held.service.url, database, await freePort());
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
    const { stdout } = await run('bash', ['-c', commands], { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 });
    held.answers = stdout.split(`${parting}\n`);
  });
  afterAll(async () => {
    await held.service?.stop();
    await held.database?.stop();
    if (held.folder !== undefined) rmSync(held.folder, { recursive: true, force: true });
  });

  const answerTo = (words: string): string =>
    held.answers[blocks.findIndex((block) => block.includes(words)) - 1] ?? '';

  it('has no request that fails but the one that shows a mistake', () => {
    expect(held.answers).toHaveLength(blocks.length - 1);
    for (const answer of held.answers.slice(0, -1)) expect(answer).not.toContain('"request_id"');
    expect(held.answers.at(-1)).toContain('\\"name\\"');
  });

  it('stores rows and sums them by month, with a data folder named as npm start names it', () => {
    expect(answerTo('orders.csv')).toContain(
      '[["2026-01-01T00:00:00.000Z",200.5],["2026-02-01T00:00:00.000Z",299.9],["2026-03-01T00:00:00.000Z",310.0]]',
    );
  });

  it('tries a database, lists its table and makes a dataset of it', () => {
    expect(answerTo('PGHOST')).toContain('"stage":"access","ok":true');
    expect(answerTo('PGHOST')).toContain('"source_dataset":"public.orders"');
  });

  it('checks a plugin and counts its rows', () => {
    expect(answerTo('plugin check')).toContain('The plugin conforms to the protocol.');
    expect(answerTo('plugin check')).toContain('"data":[[11]]');
  });

  it('keeps what a dashboard held before it was changed', () => {
    expect(answerTo('dashboardversion')).toContain('"count":1');
    expect(answerTo('dashboardversion')).toContain('"type":"bar-chart"');
    // A slot of another type of chart would draw something else.
    expect(answerTo('dashboardversion')).not.toContain('"warnings"');
  });

  it('gets a chart for a question', () => {
    expect(answerTo('aichart')).toContain('"type":"line-chart"');
  });

  it('writes a page for a customer, and files', () => {
    const { folder = '' } = held;
    expect(readFileSync(join(folder, 'site/page.html'), 'utf8')).toMatch(
      /auth-key="[\da-f-]{36}" auth-token="[\w-]+"/u,
    );
    expect(readFileSync(join(folder, 'sales.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    expect(answerTo('export_as')).toMatch(/"Country","Revenue"\r?\n"Belgium",630.5\r?\n"France",179.9/u);
  });
});

describe.skipIf(noBrowser !== undefined)('the example of the README', () => {
  it('leads from a CSV to a chart in a page of another site', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inlay-readme-'));
    const pages = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(readFileSync(join(folder, 'page.html'))),
    );
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    const address = pages.address();
    const site = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const settings = { INLAY_BOOTSTRAP_KEY: key, INLAY_BOOTSTRAP_TOKEN: token, INLAY_CORS_ORIGINS: site };
    const [service, browser] = await Promise.all([startService({ cwd: folder, env: settings }), startBrowser()]);
    try {
      const start = readme.indexOf('## From a CSV to an embedded chart');
      const [, commands = ''] = /^```sh\n(.*?)^```$/msu.exec(readme.slice(start)) ?? [];
      const given = commands.replace(
        /^export INLAY=.*$/mu,
        `export INLAY=${service.url}/0.1.0 KEY=${key} TOKEN=${token}`,
      );
      await run('bash', ['-euc', given], { cwd: folder });
      const page = await browser.newPage();
      await page.goto(site);
      const values = `document.querySelector('inlay-dashboard')?.getData?.('by-country')?.values`;
      await expect.poll(() => page.evaluate(values)).toHaveLength(2);
    } finally {
      await Promise.all([service.stop(), browser.close()]);
      pages.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the documents', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })];
  it.each(pages)('%s links only to what is there', (page) => {
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```$/gmsu, '');
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/gu)].map(([, to = '']) => to);
    expect(links.filter((to) => !existsSync(join(root, dirname(page), to)))).toEqual([]);
  });
});
