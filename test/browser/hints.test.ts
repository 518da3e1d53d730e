import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openDashboard, startBrowser, toldOf } from './page.ts';
import { contentsOf, inSlot, item, slot } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

describe.skipIf(noBrowser !== undefined)(
  'whoever builds a page is told what to check, in the event and once in the console',
  () => {
    let world: EmbedWorld;
    let browser: Browser;
    let dashboard: string;

    beforeAll(async () => {
      [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
      const measure = [slot('measure', inSlot(world.dataset, 'revenue'))];
      dashboard = await world.dashboard(
        contentsOf(world.dataset, [item('Total', 'evolution-number', measure, [0, 0, 16, 10])]),
      );
    });
    afterAll(async () => {
      await browser?.close();
      await world?.stop();
    });

    it.each([
      ['a dashboard that the token may not read', 'not_found', 'Check dashboard-id', []],
      ['a token that is wrong', 'credentials_invalid', 'Set auth-key and auth-token', ['dashboard']],
    ] as const)('of %s', async (_what, code, words, opened) => {
      const given = await world.token(opened.map(() => dashboard));
      const by = code === 'not_found' ? given : { ...given, token: 'x'.repeat(given.token.length) };
      const { page, context, errors } = await openDashboard(browser, world, dashboard, by);
      await page.getByRole('alert').waitFor();
      const [failed] = await toldOf(page, 'failed');
      expect(failed).toMatchObject({ id: null, code, hint: expect.stringContaining(words) });
      expect(errors.filter((text) => text.includes(words))).toHaveLength(1);
      await context.close();
    });
  },
);
