import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Returns what axe finds in a page, shadow roots included: each rule with the elements that break it. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ path: axe });
  return page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' ')))`,
  );
}
