import type { Locator, Page } from 'playwright-core';
import { card } from './page.ts';

/** Opens a filter of one line, and returns what opened. */
export async function opened(page: Page, title: string): Promise<Locator> {
  const one = card(page, title);
  await one.locator('button.field').click();
  const popup = one.locator('.popup:popover-open');
  await popup.waitFor();
  return popup;
}

/** Chooses members of a dropdown filter, or takes them back, and closes it. */
export async function toggleMembers(page: Page, title: string, ...names: readonly string[]): Promise<void> {
  const popup = await opened(page, title);
  for (const name of names) await popup.getByRole('option', { name, exact: true }).click();
  await page.keyboard.press('Escape');
}

/** Types days into a date filter, and closes it. */
export async function typeDays(
  page: Page,
  title: string,
  days: Readonly<Record<'From' | 'To', string>>,
): Promise<void> {
  const popup = await opened(page, title);
  for (const [end, day] of Object.entries(days)) {
    await popup.getByLabel(end, { exact: true }).fill(day);
    await popup.getByLabel(end, { exact: true }).press('Tab');
  }
  await page.keyboard.press('Escape');
}
