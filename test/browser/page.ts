import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@inlay/contract';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserServer,
  type Locator,
  type Page,
} from 'playwright-core';
import type { Credential, EmbedWorld } from './world.ts';

const executablePath = '/usr/bin/chromium';

/** Why there are no browser tests here; undefined if there are. */
export const noBrowser = existsSync(executablePath) ? undefined : `${executablePath} is not installed`;

const started: { server?: Promise<BrowserServer> } = {};

/**
 * Returns a connection to the Chromium that the test files of this process share. Closing it closes its contexts, not
 * the Chromium.
 */
export async function startBrowser(): Promise<Browser> {
  started.server ??= chromium.launchServer({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const server = await started.server;
  return chromium.connect(server.wsEndpoint());
}

/** Ends the shared Chromium, which otherwise keeps a program running. */
export async function endBrowser(): Promise<void> {
  await (await started.server)?.close();
  delete started.server;
}

export interface Seen {
  readonly width?: number;
  readonly height?: number;
  readonly locale?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** More of the head of the page. */
  readonly head?: string;
  /** What is done with the page before it is opened. */
  readonly prepare?: (page: Page) => Promise<void>;
  readonly context?: Parameters<Browser['newContext']>[0];
}

export const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Returns a page of the site with whatever is inside its `<main>`; the elements come from the service. */
export const pageWith = ({ service }: EmbedWorld, inside: string, locale = 'en', head = ''): string =>
  `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>A page that embeds</title>` +
  `<link rel="icon" href="data:,">${head}` +
  `<script type="module" src="${service.url}/embed/inlay.js"></script></head>` +
  `<body marginwidth="0" marginheight="0"><main><h1>A page</h1>${inside}</main></body></html>`;

/** What a page did, from its start. */
export interface Watched {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Addresses asked for, without those of the page itself. */
  readonly requests: readonly { readonly url: string; readonly body: string | null }[];
  /** Errors of scripts and messages of the console. */
  readonly errors: readonly string[];
}

/** Keeps every event of the elements, in the page. */
const noteEvents = `
  globalThis.told = [];
  for (const name of ['loaded', 'rendered', 'itemrendered', 'filterschanged', 'clicked', 'actionchosen', 'linkfollowed', 'failed'])
    document.addEventListener(name, (event) => told.push({ name, detail: event.detail }));
`;

const numbers = { next: 0 };

/** Opens a page of the site in a context of its own. */
export async function openPage(browser: Browser, world: EmbedWorld, inside: string, seen: Seen = {}): Promise<Watched> {
  const { width = 1280, height = 1400, locale = 'en', head = '' } = seen;
  const path = `/page-${(numbers.next += 1)}`;
  world.site.show(path, pageWith(world, inside, locale, head));
  const context = await browser.newContext({ viewport: { width, height }, ...seen.context });
  context.setDefaultTimeout(100_000);
  const page = await context.newPage();
  const requests: { url: string; body: string | null }[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push({ url: request.url(), body: request.postData() }));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  await page.addInitScript({ content: noteEvents });
  await seen.prepare?.(page);
  await page.goto(`${world.site.url}${path}`, { waitUntil: 'domcontentloaded' });
  return { context, page, requests, errors };
}

/** Creates a dashboard in a page of the site. */
export const openDashboard = (
  browser: Browser,
  world: EmbedWorld,
  dashboardId: string,
  { key, token }: Credential,
  seen: Seen = {},
): Promise<Watched> => {
  const given = { 'dashboard-id': dashboardId, 'auth-key': key, 'auth-token': token, 'api-host': world.service.url };
  const attributes = Object.entries({ ...given, ...seen.attributes })
    .map(([name, value]) => `${name}="${attribute(value)}"`)
    .join(' ');
  return openPage(browser, world, `<inlay-dashboard ${attributes}></inlay-dashboard>`, seen);
};

/** Waits until something is true in the page; asked from outside, so that no policy of the page forbids it. */
export async function until(page: Page, condition: string, limitMs = 100_000): Promise<void> {
  for (const deadline = Date.now() + limitMs; (await page.evaluate(condition)) !== true; await sleep(25))
    if (Date.now() > deadline) throw new Error(`the page was never so that ${condition}`);
}

/** Waits until no item of the dashboard waits for rows. */
export const settled = (page: Page): Promise<void> =>
  until(page, `document.querySelector('inlay-dashboard').shadowRoot.querySelector('inlay-card[waiting]') === null`);

/** Waits until the first value of an item is a wanted number. */
export const totalIs = (page: Page, wanted: number, title = 'Total'): Promise<void> =>
  until(page, `Number(document.querySelector('inlay-dashboard').getData('${title}')?.values[0]?.[0]) === ${wanted}`);

/** Waits until every item of the page has been drawn, for the first time or once more. */
export const rendered = (page: Page, times = 1): Promise<void> =>
  until(page, `told.filter(({ name }) => name === 'rendered').length >= ${times}`);

/** What the events of a name told, oldest first. */
export const toldOf = (page: Page, name: string): Promise<readonly JsonObject[]> =>
  page.evaluate(`told.filter(({ name }) => name === '${name}').map(({ detail }) => detail)`);

/** Returns one item of a dashboard by its title. */
export const card = (page: Page, title: string): Locator =>
  page.locator('inlay-card').filter({ has: page.locator(`h2[title="${title}"]`) });

/** Returns the cells of the table of an item, which is what stands behind a chart: its head, then its rows. */
export async function tableOf(page: Page, title: string): Promise<readonly (readonly string[])[]> {
  const one = card(page, title);
  const toggle = one.getByRole('button', { name: 'Show as table' });
  if ((await toggle.count()) > 0) await toggle.click();
  await one.locator('table').waitFor();
  return one
    .locator('table tr:not([aria-hidden])')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th,td')].map((cell) => (cell.textContent ?? '').trim())),
    );
}
