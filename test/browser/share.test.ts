import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, startBrowser } from './page.ts';
import { contentsOf, inSlot, item, sales, slot, sumBy } from './sales.ts';
import { startEmbedWorld, textOf, type EmbedWorld } from './world.ts';

const element = `document.querySelector('inlay-dashboard')`;
const regions = `${element}?.getData('Regions')?.values.length`;
/** Scripts of the test are no exception to the policy of the page, so it is asked from outside. */

describe.skipIf(noBrowser !== undefined)('the page of a share in a browser', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let share: { readonly id: string; readonly slug: string };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
    const measure = slot('measure', inSlot(world.dataset, 'revenue'));
    const axis = slot('x-axis', inSlot(world.dataset, 'region'));
    const chart = item('Regions', 'column-chart', [axis, measure], [0, 0, 24, 18]);
    const dashboard = await world.dashboard(contentsOf(world.dataset, [chart]));
    const made = await world.ok('share', { action: 'create', properties: { securable_id: dashboard } });
    share = { id: textOf(made['id']), slug: textOf(made['slug']) };
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  async function open(slug: string): Promise<{ page: Page; status: number | undefined; errors: readonly string[] }> {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
    const answer = await page.goto(`${world.service.url}/s/${slug}`);
    return { page, status: answer?.status(), errors };
  }

  it('draws the dashboard, and goes on once its token has ended', async () => {
    const { page, status, errors } = await open(share.slug);
    expect(status).toBe(200);
    const wanted = sumBy(sales, ({ region }) => region).length;
    await expect.poll(() => page.evaluate(regions)).toBe(wanted);
    expect(errors).toEqual([]);
    await world.ok('share', { action: 'update', id: share.id, properties: { active: true } });
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/0.1.0/data') && answer.status() === 200);
    const [renewed] = await Promise.all([page.waitForResponse(/\/token$/u), page.evaluate(`${element}.refresh()`)]);
    expect(renewed.status()).toBe(200);
    await answered;
    await expect.poll(() => page.evaluate(regions)).toBe(wanted);
    await page.context().close();
  });

  it('says that nothing is shared once it is not', async () => {
    const { page } = await open(share.slug);
    await expect.poll(() => page.evaluate(regions)).toBeGreaterThan(0);
    await world.ok('share', { action: 'update', id: share.id, properties: { active: false } });
    await page.evaluate(`${element}.refresh()`);
    await page.getByRole('heading', { name: 'Nothing is shared here' }).waitFor();
    const { status, page: other } = await open('nothing');
    expect([status, await other.title()]).toEqual([404, 'Nothing is shared here']);
    await Promise.all([page.context().close(), other.context().close()]);
  });
});
