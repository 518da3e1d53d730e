import { DatabaseSync } from 'node:sqlite';
import { listOr, type Json, type JsonObject } from '@inlay/contract';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../browser/axe.ts';
import { noBrowser, startBrowser } from '../browser/page.ts';
import { hostileTexts } from '../browser/payloads.ts';
import { sales } from '../browser/sales.ts';
import { datasetIn } from '../support/world.ts';
import { startEmbedWorld, textOf, type EmbedWorld } from '../browser/world.ts';
import { EditorPage, fiveItems } from './editor-page.ts';

/** What is entered into the form of a filter, and the rows that it lets through, in SQL. */
interface Entry {
  readonly column: string;
  readonly condition: string;
  readonly enter?: (form: Locator) => Promise<void>;
  readonly sql: string;
}

const typed =
  (...texts: readonly string[]) =>
  async (form: Locator): Promise<void> => {
    for (const [index, text] of texts.entries()) await form.locator('input[type=text]').nth(index).fill(text);
  };
const checked =
  (...names: readonly string[]) =>
  async (form: Locator): Promise<void> => {
    for (const name of names) await form.getByLabel(name, { exact: true }).check();
  };
const listed =
  (...texts: readonly string[]) =>
  async (form: Locator): Promise<void> => {
    for (const text of texts) {
      await form.getByRole('textbox', { name: 'Value', exact: true }).fill(text);
      await form.getByRole('button', { name: 'Add the value' }).click();
    }
  };
const past =
  (quantity: number, unit: string) =>
  async (form: Locator): Promise<void> => {
    await form.getByLabel('How many').fill(String(quantity));
    await form.getByRole('combobox', { name: 'Unit', exact: true }).selectOption(unit);
  };

const entries: readonly Entry[] = [
  { column: 'Region', condition: 'is', enter: checked('Europe'), sql: "region = 'Europe'" },
  { column: 'Region', condition: 'is not', enter: checked('Europe'), sql: "region <> 'Europe'" },
  {
    column: 'Region',
    condition: 'is none of',
    enter: checked('Asia', 'Africa'),
    sql: "region not in ('Asia', 'Africa')",
  },
  { column: 'Product', condition: 'contains', enter: typed('ee'), sql: "product like '%ee%'" },
  { column: 'Product', condition: 'does not contain', enter: typed('ee'), sql: "product not like '%ee%'" },
  { column: 'Product', condition: 'starts with', enter: typed('Da'), sql: "product like 'Da%'" },
  { column: 'Product', condition: 'does not start with', enter: typed('Da'), sql: "product not like 'Da%'" },
  { column: 'Product', condition: 'ends with', enter: typed('es'), sql: "product like '%es'" },
  { column: 'Product', condition: 'does not end with', enter: typed('es'), sql: "product not like '%es'" },
  { column: 'Product', condition: 'is between', enter: typed('B', 'D'), sql: "product between 'B' and 'D'" },
  { column: 'Product', condition: 'is not empty', sql: 'product is not null' },
  { column: 'Product', condition: 'is empty', sql: 'product is null' },
  { column: 'Revenue', condition: 'is', enter: typed('50.5'), sql: 'revenue = 50.5' },
  { column: 'Revenue', condition: 'is one of', enter: listed('50.5', '0.5'), sql: 'revenue in (50.5, 0.5)' },
  { column: 'Revenue', condition: 'is less than', enter: typed('20.5'), sql: 'revenue < 20.5' },
  { column: 'Revenue', condition: 'is at most', enter: typed('20.5'), sql: 'revenue <= 20.5' },
  { column: 'Quantity', condition: 'is more than', enter: typed('9'), sql: 'quantity > 9' },
  { column: 'Quantity', condition: 'is at least', enter: typed('9'), sql: 'quantity >= 9' },
  { column: 'Quantity', condition: 'is between', enter: typed('2', '4'), sql: 'quantity between 2 and 4' },
  { column: 'Day', condition: 'is before', enter: typed('3/1/2025'), sql: "day < '2025-03-01'" },
  { column: 'Day', condition: 'is until', enter: typed('2025-03-02'), sql: "day <= '2025-03-02'" },
  { column: 'Day', condition: 'is after', enter: typed('3/2/2025'), sql: "day > '2025-03-02'" },
  { column: 'Day', condition: 'is from', enter: typed('3/2/2025'), sql: "day >= '2025-03-02'" },
  {
    column: 'Day',
    condition: 'is between',
    enter: typed('1/1/2025', '3/31/2025'),
    sql: "day between '2025-01-01' and '2025-03-31'",
  },
  {
    column: 'Day',
    condition: 'is one of',
    enter: listed('1/1/2024', '1/4/2024'),
    sql: "day in ('2024-01-01', '2024-01-04')",
  },
  {
    column: 'Day',
    condition: 'is',
    enter: async (form) => {
      await form.getByRole('combobox', { name: 'Compared by', exact: true }).selectOption('Month');
      await typed('2/15/2025')(form);
    },
    sql: "day like '2025-02-%'",
  },
  {
    column: 'Day',
    condition: 'the last whole',
    enter: past(2, 'year'),
    sql: "day >= date('now', 'start of year', '-2 years') and day < date('now', 'start of year')",
  },
  {
    column: 'Day',
    condition: 'until now, for the past',
    enter: past(30, 'day'),
    sql: "day between date('now', '-30 days') and date('now')",
  },
  {
    column: 'Day',
    condition: 'from the start of the unit until now',
    enter: past(1, 'month'),
    sql: "day between date('now', 'start of month') and date('now')",
  },
  {
    column: 'Day',
    condition: 'the one before by',
    enter: past(1, 'year'),
    sql: "day like strftime('%Y', 'now', '-1 years') || '-%'",
  },
  { column: 'Day', condition: 'earlier than', enter: past(1, 'year'), sql: "day <= date('now', '-1 years')" },
  {
    column: 'Day',
    condition: 'the newest data',
    enter: past(1, 'year'),
    sql: "day like substr((select max(day) from sales), 1, 4) || '-%'",
  },
  {
    column: 'Day',
    condition: 'the next whole',
    enter: past(1, 'year'),
    sql: "day like strftime('%Y', 'now', '+1 years') || '-%'",
  },
  { column: 'Day', condition: 'this year until now', sql: "day between date('now', 'start of year') and date('now')" },
];

describe.skipIf(noBrowser !== undefined)(`filters in the editor${noBrowser ?? ''}`, () => {
  let world: EmbedWorld;
  let browser: Browser;
  const database = new DatabaseSync(':memory:');
  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    database.exec('create table sales(day text, region text, product text, revenue real, quantity integer)');
    database.exec('pragma case_sensitive_like = on');
    const insert = database.prepare('insert into sales values (?, ?, ?, ?, ?)');
    for (const { day, region, product, revenue, quantity } of sales)
      insert.run(day, region, product, revenue, quantity);
  });
  afterEach(async () => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser.close();
    await world.stop();
    database.close();
  });

  /** Total of the revenue over the rows that pass a condition in SQL; null if there are none. */
  const revenueWhere = (condition: string): number | null => {
    const total =
      database.prepare(`select sum(revenue) as total from sales where ${condition}`).get()?.['total'] ?? null;
    return total === null ? null : Number(total);
  };
  const total = (editor: EditorPage, id = 'total'): Promise<unknown> =>
    editor.ask(`editor.renderRoot.querySelector('inlay-grid').getData('${id}')?.values[0]?.[0] ?? null`);
  const panel = (editor: EditorPage): Locator => editor.page.locator('inlay-filters');
  const form = (editor: EditorPage): Locator => panel(editor).locator('form');
  const unfold = async (editor: EditorPage): Promise<void> => {
    if (await panel(editor).isVisible()) return;
    await editor.page.locator('inlay-editor summary').getByText('Filters', { exact: true }).click();
  };
  const add = async (
    editor: EditorPage,
    { column, condition, enter }: Entry,
    button = 'Add a filter',
  ): Promise<void> => {
    await panel(editor).getByRole('button', { name: button }).first().click();
    await form(editor).getByRole('combobox', { name: 'Column', exact: true }).selectOption({ label: column });
    await form(editor).getByRole('combobox', { name: 'Condition', exact: true }).selectOption({ label: condition });
    await enter?.(form(editor));
    await form(editor).getByRole('button', { name: 'Apply' }).click();
    await form(editor).waitFor({ state: 'detached' });
  };
  const named = (column: string, condition: string): Entry => {
    const entry = entries.find((one) => one.column === column && one.condition === condition);
    if (entry === undefined) throw new Error(`${column} ${condition} is no entry`);
    return entry;
  };
  const stored = async (id: string): Promise<string> =>
    JSON.stringify((await world.ok('securable', { action: 'get', id }))['contents']);

  it('lets the rows through that SQL does, for every operator, and undoes each to the byte', async () => {
    const editor = await EditorPage.open(browser, world, await world.dashboard(fiveItems(world.dataset)));
    await unfold(editor);
    const start = await editor.text();
    for (const entry of entries) {
      await add(editor, entry);
      const name = `${entry.column} ${entry.condition}`;
      await expect.poll(() => total(editor), { message: name, timeout: 8000 }).toBe(revenueWhere(entry.sql));
      expect(await editor.ask('editor.steps'), name).toEqual([`Added a filter on ${entry.column}`]);
      await editor.button('Undo').click();
      expect(await editor.text(), name).toBe(start);
    }
    await expect.poll(() => total(editor)).toBe(revenueWhere('true'));
    expect(editor.watched.errors).toEqual([]);
  });

  it('narrows one item or all of them, and asks only for the rows of what is narrowed', async () => {
    const id = await world.dashboard(fiveItems(world.dataset));
    const editor = await EditorPage.open(browser, world, id);
    await editor.frame('total').click();
    await unfold(editor);
    const before = editor.watched.requests.length;
    await add(editor, named('Region', 'is'));
    await expect.poll(() => total(editor)).toBe(revenueWhere("region = 'Europe'"));
    const asked = editor.watched.requests.slice(before).filter(({ url }) => url.endsWith('/data'));
    for (const { body } of asked) expect(body).not.toContain(world.dataset.columns.quantity);
    await add(editor, named('Quantity', 'is more than'), 'Or … Region: Europe');
    await expect.poll(() => total(editor)).toBe(revenueWhere("region = 'Europe' or quantity > 9"));
    await editor.ask('editor.select([])');
    await unfold(editor);
    await add(editor, named('Day', 'the last whole'));
    const days = named('Day', 'the last whole').sql;
    await expect.poll(() => total(editor)).toBe(revenueWhere(`(region = 'Europe' or quantity > 9) and ${days}`));
    expect(await panel(editor).locator('.reach').textContent()).toContain('Filters 5 of 5 items: Products, Total');
    await editor.save();
    const again = await EditorPage.open(browser, world, id);
    await expect.poll(() => total(again)).toBe(revenueWhere(`(region = 'Europe' or quantity > 9) and ${days}`));
    await unfold(again);
    await panel(again).getByRole('button', { name: 'Remove Day: last 2 years' }).click();
    await expect.poll(() => total(again)).toBe(revenueWhere("region = 'Europe' or quantity > 9"));
    await again.frame('total').click();
    await unfold(again);
    await panel(again).getByRole('button', { name: 'Change Region: Europe' }).click();
    await form(again).getByLabel('Asia').check();
    await form(again).getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => total(again)).toBe(revenueWhere("region = 'Asia' or quantity > 9"));
    await panel(again).getByRole('button', { name: 'Remove Quantity > 9' }).click();
    await expect.poll(() => total(again)).toBe(revenueWhere("region = 'Asia'"));
    expect(await again.ask('editor.steps.slice(-3)')).toEqual([
      'Removed the filter on Day',
      'Changed the filter on Region, Quantity',
      'Changed the filter on Region',
    ]);
    await again.save();
    expect(await stored(id)).toContain('"expression":"? = ?"');
    expect(await stored(id)).not.toContain('last_completed');
    for (const { watched } of [editor, again]) expect(watched.errors).toEqual([]);
  });

  it('tests totals of what is shown, and names what else narrows an item', async () => {
    const contents = fiveItems(world.dataset);
    const editor = await EditorPage.open(browser, world, await world.dashboard(contents));
    await unfold(editor);
    await add(editor, named('Region', 'is not'));
    await editor.frame('regions').click();
    await unfold(editor);
    await panel(editor).getByRole('button', { name: 'Add a filter' }).click();
    await form(editor).getByRole('combobox', { name: 'Column', exact: true }).selectOption({ label: 'Revenue' });
    await form(editor)
      .getByRole('combobox', { name: 'Tests', exact: true })
      .selectOption({ label: 'The total of what is shown' });
    await form(editor)
      .getByRole('combobox', { name: 'Condition', exact: true })
      .selectOption({ label: 'is more than' });
    await form(editor).getByRole('textbox', { name: 'Value', exact: true }).fill('6000');
    await form(editor).getByRole('textbox', { name: 'Value', exact: true }).press('Enter');
    const rows = database
      .prepare(
        "select region, sum(revenue) as total from sales where region <> 'Europe' group by region having sum(revenue) > 6000",
      )
      .all()
      .map((row) => [row['region'], row['total']]);
    await expect
      .poll(() =>
        editor.ask(
          `editor.renderRoot.querySelector('inlay-grid').getData('regions')?.values.map(([region, sum]) => [region.id ?? region, sum])`,
        ),
      )
      .toEqual(rows);
    expect(rows).toHaveLength(1);
    const names = await panel(editor).locator('.names').allTextContents();
    expect(names.map((text) => text.replaceAll(/\s+/gu, ' ').trim())).toEqual([
      'Region: not Europe',
      'ProductsTotalPiecesMonths',
    ]);
  });

  it('is filled in by keyboard alone, says what is wrong, and finds members while somebody types', async () => {
    const editor = await EditorPage.open(browser, world, await world.dashboard(fiveItems(world.dataset)));
    const { page } = editor;
    await page.locator('inlay-editor summary').getByText('Filters', { exact: true }).focus();
    await page.keyboard.press('Enter');
    await panel(editor).getByRole('button', { name: 'Add a filter' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Prod');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    // Apply is behind the search and the members.
    await form(editor).getByRole('button', { name: 'Apply' }).press('Enter');
    expect(await form(editor).getByRole('alert').textContent()).toBe('Choose or type a value.');
    await form(editor).getByLabel('Search values').focus();
    const before = editor.watched.requests.length;
    await page.keyboard.type('chee');
    await expect.poll(() => form(editor).getByRole('radio').count()).toBe(1);
    expect(editor.watched.requests.slice(before)).toHaveLength(1);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => total(editor)).toBe(revenueWhere("product = 'Cheese'"));
    await page.keyboard.press('Enter');
    await form(editor).waitFor();
    await page.keyboard.press('Escape');
    await form(editor).waitFor({ state: 'detached' });
    expect(await panel(editor).evaluate((element) => element.shadowRoot?.activeElement?.className)).toBe('add');
  });

  it('says which days a relative date means, by the clock of the person', async () => {
    const editor = await EditorPage.open(browser, world, await world.dashboard(fiveItems(world.dataset)));
    await editor.page.clock.setFixedTime(new Date('2024-03-14T11:00:00Z'));
    await unfold(editor);
    await panel(editor).getByRole('button', { name: 'Add a filter' }).click();
    await form(editor).getByRole('combobox', { name: 'Column', exact: true }).selectOption({ label: 'Day' });
    await form(editor)
      .getByRole('combobox', { name: 'Condition', exact: true })
      .selectOption({ label: 'the last whole' });
    await past(2, 'month')(form(editor));
    expect((await form(editor).locator('.days').textContent())?.trim().replaceAll(/[\u2009\u202f]/gu, ' ')).toBe(
      'Today: Jan 1 – Feb 29, 2024',
    );
    await form(editor).getByRole('button', { name: 'Apply' }).click();
    expect((await panel(editor).locator('small').textContent())?.replaceAll(/[\u2009\u202f]/gu, ' ')).toBe(
      'Today: Jan 1 – Feb 29, 2024',
    );
  });

  it('shows the filters of the token and lets nobody change them; values are those that it lets through', async () => {
    const id = await world.dashboard(fiveItems(world.dataset));
    const { id: datasetId, columns } = world.dataset;
    const lock = (columnId: string, value: Json): JsonObject => ({
      clause: 'where',
      origin: 'global',
      securable_id: datasetId,
      column_id: columnId,
      expression: '? in ?',
      value,
    });
    const parameter = (name: string): Json => ({ parameter: `metadata.${name}`, type: 'array[hierarchy]' });
    const tenant = await world.token([id], {
      role: 'designer',
      access: { dashboards: [{ id, rights: 'modify' }], datasets: [{ id: datasetId, rights: 'use' }] },
      filters: [
        lock(columns.region, ['Europe', 'Asia']),
        lock(columns.product, parameter('products')),
        lock(columns.product, parameter('secret')),
      ],
      metadata: { products: ['Bread', 'Cheese'] },
      parameter_overrides: { secret: { value: ['Bread', 'Cheese', 'Apples'], sensitive: true } },
    });
    const editor = await EditorPage.open(browser, world, id, tenant);
    await unfold(editor);
    const locked = panel(editor).getByRole('group', { name: 'Set by your access' });
    await locked.waitFor();
    expect((await locked.locator('li').allTextContents()).map((text) => text.replaceAll(/\s+/gu, ' ').trim())).toEqual([
      '🔒 Region: Europe, Asia',
      '🔒 Product: Bread, Cheese',
      '🔒 Product: value of the parameter metadata.secret',
    ]);
    expect(await locked.getByRole('button').count()).toBe(0);
    await panel(editor).getByRole('button', { name: 'Add a filter' }).click();
    await form(editor).getByRole('combobox', { name: 'Column', exact: true }).selectOption({ label: 'Region' });
    await expect.poll(() => form(editor).getByRole('radio').count()).toBe(2);
    expect(await form(editor).locator('.members').textContent()).not.toContain('Africa');
  });

  it('only shows filters to those who may not use the dataset, and says why', async () => {
    const contents = fiveItems(world.dataset);
    const id = await world.dashboard(contents);
    const editor = await EditorPage.open(browser, world, id);
    await unfold(editor);
    await add(editor, named('Region', 'is'));
    await editor.save();
    const reader = await world.token([id], {
      role: 'designer',
      access: { dashboards: [{ id, rights: 'modify' }], datasets: [{ id: world.dataset.id, rights: 'read' }] },
    });
    const limited = await EditorPage.open(browser, world, id, reader);
    await unfold(limited);
    await panel(limited).locator('.reason').waitFor();
    expect(await panel(limited).locator('.reason').textContent()).toContain('Filters on “Sales” are only shown');
    expect((await panel(limited).locator('.filter').textContent())?.trim()).toBe('Region: Europe');
    expect(await panel(limited).getByRole('button').count()).toBe(0);
    const hidden = await world.token([id], {
      role: 'designer',
      access: { dashboards: [{ id, rights: 'modify' }], datasets: [{ id: world.dataset.id, rights: 'use' }] },
      hidden_columns: [world.dataset.columns.region],
    });
    const unseeing = await EditorPage.open(browser, world, id, hidden);
    await unfold(unseeing);
    await panel(unseeing).getByRole('button', { name: 'Add a filter' }).click();
    expect(await form(unseeing).getByRole('combobox', { name: 'Column', exact: true }).textContent()).not.toContain(
      'Region',
    );
    expect(await panel(unseeing).locator('.filter').first().textContent()).toContain('Column that you cannot see');
  });

  it('lets limited editors who may use the dataset set filters, which the service stores', async () => {
    const id = await world.dashboard(fiveItems(world.dataset));
    const limited = await world.token([id], {
      role: 'designer',
      access: { dashboards: [{ id, rights: 'modify' }], datasets: [{ id: world.dataset.id, rights: 'use' }] },
      feature_overrides: ['!edit_full', 'edit_limited'],
    });
    const editor = await EditorPage.open(browser, world, id, limited);
    await unfold(editor);
    await add(editor, named('Region', 'is'));
    await editor.frame('total').click();
    await unfold(editor);
    await add(editor, named('Quantity', 'is more than'));
    await expect.poll(() => total(editor)).toBe(revenueWhere("region = 'Europe' and quantity > 9"));
    await editor.save();
    expect(await editor.ask('editor.isChanged')).toBe(false);
    const viewer = await EditorPage.open(browser, world, id, await world.token([id]));
    await expect.poll(() => total(viewer)).toBe(revenueWhere("region = 'Europe' and quantity > 9"));
  });

  it('takes members of any text as texts', async () => {
    const texts = hostileTexts(`${world.site.url}/listener`).filter((_, index) => index % 6 === 0);
    const rows = [['name', 'amount'], ...texts.map((text, index) => [text, index + 1])];
    const pushed = await world.ok('data', {
      action: 'create',
      properties: { type: 'create', data: rows, options: { header: true, name: { en: texts[0] ?? '' } } },
    });
    const datasetId = textOf(datasetIn(pushed)['id']);
    const found = await world.ok('column', { find: { where: { securable_id: datasetId } } });
    const idOf = (name: string): string => {
      const list: Json = found['rows'] ?? [];
      const column = Array.isArray(list) ? list.find((one: JsonObject) => one['source_name'] === name) : undefined;
      return textOf(column?.['id']);
    };
    const slots = [{ name: 'measure', content: [{ columnId: idOf('amount'), datasetId }] }];
    const position = { col: 0, row: 0, sizeX: 24, sizeY: 8 };
    const contents = fiveItems(world.dataset);
    const id = await world.dashboard({
      ...contents,
      views: [
        { screenModus: 'desktop', items: [{ id: 'total', type: 'evolution-number', position, options: {}, slots }] },
      ],
    });
    const editor = await EditorPage.open(browser, world, id, world.owner, {
      prepare: async (page) => {
        await page.addInitScript('globalThis.pwned = () => { globalThis.wasPwned = true; }');
      },
    });
    const asked = world.site.asked.length;
    await unfold(editor);
    await panel(editor).getByRole('button', { name: 'Add a filter' }).click();
    await form(editor).getByRole('combobox', { name: 'Column', exact: true }).selectOption(idOf('name'));
    await form(editor).getByRole('combobox', { name: 'Condition', exact: true }).selectOption({ label: 'is one of' });
    await expect.poll(() => form(editor).getByRole('checkbox').count()).toBe(texts.length);
    for (const box of await form(editor).getByRole('checkbox').all()) await box.check();
    await form(editor).getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => total(editor)).toBe((texts.length * (texts.length + 1)) / 2);
    const kept = await editor.ask<Json>('editor.contents.views[0].filterGroups[0].filters[0].parameters[1]');
    expect(new Set(listOr(kept))).toEqual(new Set(texts));
    await editor.save();
    expect(await editor.page.evaluate('globalThis.wasPwned === true')).toBe(false);
    expect(world.site.asked.slice(asked)).toEqual([]);
    expect(editor.watched.errors).toEqual([]);
  });

  it.each([
    { locale: 'en', theme: 'default', width: 1440 },
    { locale: 'fr', theme: 'default_dark', width: 1440 },
    { locale: 'ar', theme: 'default_dark', width: 390 },
    { locale: 'ar', theme: 'default', width: 390 },
  ])('has nothing that axe finds in $locale, $theme, $width px wide', async ({ locale, theme, width }) => {
    const contents = JSON.stringify(fiveItems(world.dataset)).replaceAll('{"id":"default"}', `{"id":"${theme}"}`);
    const id = await world.dashboard(JSON.parse(contents));
    const editor = await EditorPage.open(browser, world, id, world.owner, { width, locale });
    const { page } = editor;
    await page.locator('inlay-editor summary').first().click();
    await panel(editor).locator('.add').click();
    await form(editor).locator('select').first().selectOption(world.dataset.columns.region);
    await form(editor).locator('select').nth(1).selectOption('in');
    for (const box of [0, 1]) await form(editor).getByRole('checkbox').nth(box).check();
    expect(await accessibilityFaults(page)).toEqual([]);
    await form(editor).locator('button[type=submit]').click();
    await panel(editor).locator('.or').click();
    await form(editor).locator('select').first().selectOption(world.dataset.columns.day);
    await form(editor).locator('select').nth(1).selectOption('last_completed');
    expect(await accessibilityFaults(page)).toEqual([]);
    await form(editor).locator('button[type=submit]').click();
    await panel(editor).locator('.add').click();
    await form(editor).locator('select').first().selectOption(world.dataset.columns.day);
    await form(editor).locator('select').nth(1).selectOption('between');
    await form(editor).locator('button[type=submit]').click();
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
