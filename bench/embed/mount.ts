import type { Page } from 'playwright-core';
import { until } from '../../test/browser/page.ts';

/** Mounts the dashboard again in a page that has the scripts; milliseconds to the first item and to the last. */
export async function mount(page: Page): Promise<{ readonly firstMs: number; readonly allMs: number }> {
  await page.evaluate(`(() => {
    const old = document.querySelector('inlay-dashboard');
    const next = document.createElement('inlay-dashboard');
    for (const { name, value } of old.attributes) if (!['style', 'dir', 'lang'].includes(name)) next.setAttribute(name, value);
    old.remove();
    globalThis.times = { start: performance.now(), first: null, all: null };
    next.addEventListener('itemrendered', () => { times.first ??= performance.now() - times.start; });
    next.addEventListener('rendered', () => { times.all ??= performance.now() - times.start; });
    document.querySelector('main').append(next);
  })()`);
  await until(page, 'times.all !== null', 60_000);
  const times: { first: number; all: number } = await page.evaluate('times');
  return { firstMs: times.first, allMs: times.all };
}
