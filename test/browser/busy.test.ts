import { inWords, isList, isObject } from '@inlay/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openDashboard, rendered, startBrowser, toldOf, until } from './page.ts';
import { contentsOf, inSlot, item, slot } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

const element = `document.querySelector('inlay-dashboard')`;

/** Returns the ids of items in each request for rows. */
function watchRequests(page: Page): readonly (readonly string[])[] {
  const asked: (readonly string[])[] = [];
  page.on('request', (request) => {
    const body: unknown = request.url().endsWith('/0.1.0/data') ? request.postDataJSON() : null;
    const find = isObject(body) ? body['find'] : null;
    const queries = isObject(find) ? find['queries'] : null;
    if (isList(queries)) asked.push(queries.map((query) => (isObject(query) ? inWords(query['item_id'] ?? null) : '')));
  });
  return asked;
}

describe.skipIf(noBrowser !== undefined)('a page of a busy service', () => {
  let world: EmbedWorld;
  let browser: Browser;

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  const opened = async (count: number) => {
    const revenue = slot('measure', inSlot(world.dataset, 'revenue'));
    const region = slot('y-axis', inSlot(world.dataset, 'region'));
    const items = Array.from({ length: count }, (_, index) =>
      item(
        `Item ${index}`,
        'bar-chart',
        [region, revenue],
        [(index % 6) * 8, (count - Math.floor(index / 6)) * 8, 8, 8],
      ),
    );
    const dashboard = await world.dashboard(contentsOf(world.dataset, items));
    return { dashboard, token: await world.token([dashboard]) };
  };

  it('shows 120 items, those at the top first, in requests of at most 48', async () => {
    const { dashboard, token } = await opened(120);
    const { page, context } = await openDashboard(browser, world, dashboard, token);
    await rendered(page);
    const asked = watchRequests(page);
    await page.reload();
    await rendered(page);
    expect(asked.map(({ length }) => length)).toEqual([48, 48, 24]);
    expect(new Set(asked.flat()).size).toBe(120);
    expect(asked[0]?.slice(0, 6)).toEqual(Array.from({ length: 6 }, (_, index) => `Item ${114 + index}`));
    expect(await toldOf(page, 'failed')).toEqual([]);
    await context.close();
  });

  it('says that it waits, and shows everything once the service has a place', async () => {
    const { dashboard, token } = await opened(3);
    const { page, context } = await openDashboard(browser, world, dashboard, token);
    await rendered(page);
    const asked = { appearance: 0, data: 0 };
    await page.route('**/0.1.0/*', (route) => {
      const resource = route.request().url().endsWith('/data') ? 'data' : 'appearance';
      asked[resource] += 1;
      const body = JSON.stringify({ code: 'overloaded', message: 'The service is overloaded.' });
      const cors = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' };
      const headers = { 'retry-after': '1', 'content-type': 'application/json', ...cors };
      return asked[resource] <= 2
        ? route.fulfill({ status: asked[resource] === 1 ? 503 : 429, headers, body })
        : route.continue();
    });
    await page.reload();
    await until(
      page,
      `${element}.shadowRoot.querySelector('inlay-card')?.shadowRoot?.textContent.includes('The service is busy')`,
    );
    await rendered(page);
    expect(asked).toEqual({ appearance: 3, data: 3 });
    expect(await toldOf(page, 'failed')).toEqual([]);
    await context.close();
  });

  it('is asked again for what is still waited for alone', async () => {
    const { dashboard, token } = await opened(3);
    const { page, context } = await openDashboard(browser, world, dashboard, token);
    await rendered(page);
    const asked = watchRequests(page);
    let refused = 0;
    await page.route('**/0.1.0/data', (route) => {
      const cors = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' };
      const headers = { 'retry-after': '1', 'content-type': 'application/json', ...cors };
      refused += 1;
      const body = JSON.stringify({ code: 'overloaded', message: 'The service is overloaded.' });
      return refused === 1 ? route.fulfill({ status: 503, headers, body }) : route.continue();
    });
    await page.evaluate(`${element}.refresh()`);
    await until(page, `${element}.shadowRoot.querySelectorAll('inlay-card').length === 3`);
    await expect.poll(() => asked.length).toBe(1);
    await page.evaluate(`${element}.refresh('Item 1')`);
    await expect.poll(() => asked.length).toBe(3);
    expect(asked.map((one) => one.toSorted())).toEqual([
      ['Item 0', 'Item 1', 'Item 2'],
      ['Item 1'],
      ['Item 0', 'Item 2'],
    ]);
    await context.close();
  });

  it('dims the items whose rows are late after a filter, and no others, until they are there', async () => {
    const { dashboard, token } = await opened(3);
    const { page, context } = await openDashboard(browser, world, dashboard, token);
    await rendered(page);
    const shown = (): Promise<unknown> =>
      page.evaluate(
        `[...${element}.shadowRoot.querySelectorAll('inlay-card')].map((card) => [card.hasAttribute('waiting'), getComputedStyle(card.shadowRoot.querySelector('.body')).opacity < 0.9])`,
      );
    const calm = [false, false];
    expect(await shown()).toEqual([calm, calm, calm]);
    const gate = Promise.withResolvers<void>();
    await page.route('**/0.1.0/data', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.evaluate(`${element}.refresh('Item 1')`);
    await page.waitForTimeout(800);
    const [late, others] = [[true, true], calm];
    const dimmed = await shown();
    expect(dimmed).toEqual(expect.arrayContaining([late, others, others]));
    expect(dimmed).toHaveLength(3);
    expect(JSON.stringify(dimmed).split(JSON.stringify(late))).toHaveLength(2);
    gate.resolve();
    await expect.poll(shown).toEqual([calm, calm, calm]);
    await context.close();
  });
});
