import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@inlay/contract';
import { expect, it } from 'vitest';
import { OtherBuild } from '../support/other-build.ts';
import { startService } from '../support/process.ts';
import { card, noBrowser, openDashboard, rendered, startBrowser, toldOf } from './page.ts';
import { contentsOf, inSlot, item, slot } from './sales.ts';
import { startEmbedWorld } from './world.ts';

it.skipIf(noBrowser !== undefined)(
  'a page that is open during an upgrade draws types of charts that it loads after it',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'inlay-upgraded-'));
    const settings = { INLAY_DATA_DIR: dataDir };
    const earlier = new OtherBuild();
    const [world, browser] = await Promise.all([
      startEmbedWorld(settings, [], { main: earlier.program }),
      startBrowser(),
    ]);
    const revenue = slot('measure', inSlot(world.dataset, 'revenue'));
    const product = inSlot(world.dataset, 'product');
    const tabs: readonly JsonObject[] = [
      { id: 'first', title: { en: 'First' }, items: ['Number'] },
      { id: 'second', title: { en: 'Second' }, items: ['Columns', 'Donut'] },
    ];
    const dashboard = await world.dashboard(
      contentsOf(world.dataset, [
        item('Parts', 'tabs', [], [0, 0, 48, 5], { options: { tabs } }),
        item('Number', 'evolution-number', [revenue], [0, 5, 24, 8]),
        item('Columns', 'column-chart', [slot('x-axis', product), revenue], [0, 13, 24, 16]),
        item('Donut', 'donut-chart', [slot('category', product), revenue], [24, 13, 24, 16]),
      ]),
    );
    const watched = await openDashboard(browser, world, dashboard, await world.token([dashboard]));
    const { page } = watched;
    await rendered(page);
    await expect.poll(() => world.service.output()).toContain('listens on');
    const { port, url } = world.service;
    expect(await world.service.stop()).toBe(0);
    const upgraded = await startService({ env: { ...settings, INLAY_CORS_ORIGINS: world.site.url }, port });

    const before = watched.requests.length;
    await card(page, 'Parts').getByRole('tab', { name: 'Second' }).click();
    const drawn = async (): Promise<string> => JSON.stringify(await toldOf(page, 'itemrendered'));
    await expect.poll(drawn).toMatch(/"Columns"[^]*"Donut"|"Donut"[^]*"Columns"/u);
    expect(await toldOf(page, 'failed')).toEqual([]);
    // They are files of the earlier build, which the new one does not have.
    const loaded = watched.requests.slice(before).filter(({ url: asked }) => asked.includes('/embed/chunk-'));
    expect(loaded.length).toBeGreaterThan(1);
    for (const { url: asked } of loaded) expect(asked).toMatch(/_\.js$/u);
    const script = await (await fetch(`${url}/embed/inlay.js`)).text();
    expect(script).not.toContain('_.js');

    await browser.close();
    expect(await upgraded.stop()).toBe(0);
    await world.site.stop();
    earlier.remove();
    rmSync(dataDir, { recursive: true, force: true });
  },
  120_000,
);
