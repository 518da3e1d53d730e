import { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '@inlay/contract';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../browser/axe.ts';
import { noBrowser, startBrowser, type Seen } from '../browser/page.ts';
import { sales } from '../browser/sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from '../browser/world.ts';
import { EditorPage, fiveItems } from './editor-page.ts';

/** Returns what SQL over the same rows answers, as the panel writes numbers. */
function sqlValue(expression: string, where = 'true'): string {
  const database = new DatabaseSync(':memory:');
  database.exec('create table sales (day text, region text, product text, revenue real, quantity integer)');
  const insert = database.prepare('insert into sales values (?, ?, ?, ?, ?)');
  for (const { day, region, product, revenue, quantity } of sales) insert.run(day, region, product, revenue, quantity);
  const row = database.prepare(`select ${expression} as value from sales where ${where}`).get();
  database.close();
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 15 }).format(Number(row?.['value']));
}

/** The panel of formulas of an item in an editor. */
class FormulaPage {
  readonly editor: EditorPage;
  readonly panel: Locator;

  constructor(editor: EditorPage) {
    this.editor = editor;
    this.panel = editor.page.locator('inlay-formula');
  }

  get text(): Locator {
    return this.panel.getByRole('textbox', { name: 'Formula', exact: true }).last();
  }

  get value(): Locator {
    return this.panel.locator('.value').last();
  }

  get fault(): Locator {
    return this.panel.locator('.fault').last();
  }

  get options(): Locator {
    return this.panel.getByRole('option');
  }

  async open(itemId: string, heading = 'Formulas'): Promise<void> {
    await this.editor.frame(itemId).click();
    await this.editor.page.locator('inlay-editor summary').getByText(heading, { exact: true }).click();
    await this.panel.locator('section, button, p:not([role])').first().waitFor();
  }

  async add(slot = 'Measure'): Promise<void> {
    await this.panel.getByRole('button', { name: `Add a formula to ${slot}` }).click();
  }
}

describe.skipIf(noBrowser !== undefined)(`formulas in the editor${noBrowser ?? ''}`, () => {
  let world: EmbedWorld;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
  });
  afterEach(async () => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  const open = async (
    itemId: string,
    { contents = fiveItems(world.dataset), by = world.owner, seen = {} }: OpenSettings = {},
  ): Promise<FormulaPage & { readonly id: string }> => {
    const id = await world.dashboard(contents);
    const formulas = new FormulaPage(
      await EditorPage.open(browser, world, id, typeof by === 'function' ? await by(id) : by, seen),
    );
    await formulas.open(itemId);
    return Object.assign(formulas, { id });
  };
  interface OpenSettings {
    readonly contents?: JsonObject;
    readonly by?: Credential | ((dashboardId: string) => Promise<Credential>);
    readonly seen?: Seen;
  }
  const measures = (editor: EditorPage, index: number): Promise<readonly JsonObject[]> =>
    editor.ask(`editor.contents.views[0].items[${index}].slots.find(({ name }) => name === 'measure').content`);

  it.each(['click', 'tap'] as const)(
    'are written by a %s on suggestions, show their value, and are undone to the byte',
    async (press) => {
      const formulas = await open('regions', { seen: { context: { hasTouch: press === 'tap' } } });
      const { editor, panel, options } = formulas;
      const before = await editor.text();
      await formulas.add();
      const pick = async (name: string): Promise<void> => options.filter({ hasText: name }).first()[press]();
      await panel.getByRole('button', { name: 'Suggest' })[press]();
      await pick('sum');
      await pick('Revenue');
      expect(await formulas.text.inputValue()).toBe('sum({Revenue})');
      await expect.poll(() => formulas.value.textContent()).toContain(`Value: ${sqlValue('sum(revenue)')}`);
      await editor.page.locator('inlay-editor .panel > h2')[press]();
      const { revenue } = world.dataset.columns;
      expect((await measures(editor, 3)).at(-1)).toEqual({
        formula: `sum({${revenue}})`,
        datasetId: world.dataset.id,
        id: expect.any(String),
      });
      await panel.getByLabel('Name of the formula').fill('Turnover');
      await panel.getByLabel('Name of the formula').press('Enter');
      expect(await editor.ask('editor.steps')).toHaveLength(2);
      await expect.poll(() => panel.getByRole('group', { name: 'Turnover' }).count()).toBe(1);
      await panel.getByRole('button', { name: 'Remove Turnover' })[press]();
      expect(await measures(editor, 3)).toHaveLength(1);
      for (let step = 0; step < 3; step += 1) await editor.button('Undo').click();
      expect(await editor.text()).toBe(before);
      expect(editor.watched.errors).toEqual([]);
    },
  );

  it('are written by keyboard alone, saved, and opened again with names', async () => {
    const formulas = await open('total');
    const { editor, id, text, options } = formulas;
    const { page } = editor;
    const focused = (): Promise<string> =>
      page.evaluate(`(() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        return element?.textContent?.trim() ?? '';
      })()`);
    for (let tabs = 0; tabs < 30 && !(await focused()).startsWith('Add a formula'); tabs += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => text.evaluate((box) => box.matches(':focus'))).toBe(true);
    await page.keyboard.type('SU');
    await expect.poll(() => options.first().textContent()).toContain('sum');
    await page.keyboard.press('ArrowDown');
    expect(await text.getAttribute('aria-activedescendant')).toBe(await options.nth(1).getAttribute('id'));
    await page.keyboard.press('ArrowUp');
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.keyboard.type('rev');
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Control+Space');
    await expect.poll(() => options.first().textContent()).toContain('+');
    await page.keyboard.press('Escape');
    expect(await options.count()).toBe(0);
    await page.keyboard.type(' / sum({qua');
    await page.keyboard.press('Enter');
    await page.keyboard.type(` where {region} = 'Asia')`);
    const shown = `sum({Revenue}) / sum({Quantity} where {region} = 'Asia')`;
    expect(await text.inputValue()).toBe(shown);
    expect(await formulas.panel.locator('.signature').count()).toBe(0);
    const value = sqlValue(`sum(revenue) / sum(case when region = 'Asia' then quantity end)`);
    await expect.poll(() => formulas.value.textContent()).toContain(`Value: ${value}`);
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Control+s');
    await expect.poll(() => editor.ask('editor.isChanged')).toBe(false);
    const { revenue, quantity, region } = world.dataset.columns;
    const stored = await world.ok('securable', { action: 'get', id });
    expect(JSON.stringify(stored['contents'])).toContain(
      `"formula":"sum({${revenue}}) / sum({${quantity}} where {${region}} = 'Asia')"`,
    );
    const again = new FormulaPage(await EditorPage.open(browser, world, id));
    await again.open('total');
    await expect.poll(() => again.text.inputValue()).toBe(shown.replace('region', 'Region'));
    await again.text.press('Control+Home');
    for (let place = 0; place < 'sum({Revenue}'.length; place += 1) await again.text.press('ArrowRight');
    await again.text.press('Backspace');
    expect(await again.text.inputValue()).toBe(`sum() / sum({Quantity} where {Region} = 'Asia')`);
    expect([...editor.watched.errors, ...again.editor.watched.errors]).toEqual([]);
  });

  it('say what is wrong at its place: syntax at once, types by the service; a faulty text stays out of the item', async () => {
    const formulas = await open('regions');
    const { editor, text, fault, panel } = formulas;
    await formulas.add();
    const underlined = (): Promise<string | null> => panel.locator('.behind u').last().textContent();
    for (const [typed, said, marked] of [
      ['sum({Revenue}) / cuont(*)', 'At “cuont”, character 18: there is no function', 'cuont'],
      ['sum({Revenue}) / {Quantity}', 'At “{Quantity}”, character 18: this column stands outside', '{Quantity}'],
      ['sum({Revenu})', 'There is no column “Revenu”. Choose one', '{Revenu}'],
      ['sum({Revenue}', 'At the end: ")" is expected here', '\u00a0'],
      // Only the service knows that the column holds texts.
      ['1 + sum({Region})', 'At “{Region}”, character 9: a number is expected here', '{Region}'],
    ] as const) {
      await text.fill(typed);
      const sentence = async (): Promise<string> =>
        (await fault.textContent())?.replaceAll(/[\u2068\u2069]/gu, '') ?? '';
      await expect.poll(sentence).toContain(said);
      expect(await underlined(), typed).toBe(marked);
      expect(await text.getAttribute('aria-invalid')).toBe('true');
      expect(await text.getAttribute('aria-describedby')).toContain(await fault.getAttribute('id'));
      expect(await formulas.value.textContent()).not.toContain('Value');
    }
    await text.blur();
    expect(await fault.textContent()).toContain('Not in the item yet');
    expect(await measures(editor, 3)).toHaveLength(1);
    // The text is still there after another item was looked at.
    await editor.frame('total').click();
    await editor.frame('regions').click();
    await formulas.add();
    expect(await text.inputValue()).toBe('1 + sum({Region})');
    await text.fill('1 + distinctcount({Region})');
    await expect.poll(() => formulas.value.textContent()).toContain('Value: 4');
    await text.blur();
    expect(await measures(editor, 3)).toHaveLength(2);
  });

  it('have the value under the filters of the item and the dashboard, and never an older one', async () => {
    const { region, product, revenue } = world.dataset.columns;
    const filter = (columnId: string, value: string): JsonObject => ({
      expression: '? = ?',
      parameters: [{ dataset_id: world.dataset.id, column_id: columnId }, value],
    });
    const contents = fiveItems(world.dataset);
    const views: readonly JsonObject[] = JSON.parse(JSON.stringify(contents['views']));
    const items: readonly JsonObject[] = JSON.parse(JSON.stringify(views[0]?.['items']));
    const entry = { formula: `avg({${revenue}})`, datasetId: world.dataset.id, label: 'Average' };
    const filtered = items.map((item): JsonObject =>
      item['id'] === 'total'
        ? { ...item, slots: [{ name: 'measure', content: [entry] }], filters: [filter(product, 'Bread')] }
        : item,
    );
    const filterGroups = [{ id: 'group', condition: 'and', filters: [filter(region, 'Asia')], subGroups: [] }];
    const formulas = await open('total', {
      contents: { ...contents, views: [{ ...views[0], filterGroups, items: filtered }, ...views.slice(1)] },
    });
    const { editor, text, value } = formulas;
    const where = `region = 'Asia' and product = 'Bread'`;
    await expect.poll(() => value.textContent()).toContain(`Value: ${sqlValue('avg(revenue)', where)}`);
    const held: (() => void)[] = [];
    await editor.page.route('**/data', async (route) => {
      if (route.request().postData()?.includes('max(') === true)
        await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined);
    });
    await text.fill('max({Revenue})');
    await expect.poll(() => held.length).toBe(1);
    await text.fill('min({Revenue})');
    await expect.poll(() => value.textContent()).toContain(`Value: ${sqlValue('min(revenue)', where)}`);
    for (const release of held) release();
    await editor.page.waitForTimeout(300);
    expect(await value.textContent()).toContain(`Value: ${sqlValue('min(revenue)', where)}`);
    await editor.page.unroute('**/data');
    await editor.page.route('**/data', (route) => route.abort());
    await text.fill('median({Revenue})');
    await expect.poll(() => value.textContent()).toContain('the service cannot be reached right now');
    await editor.page.unroute('**/data');
    await text.fill(`sum({Revenue} where {Product} = 'Dates')`);
    await expect.poll(() => value.textContent()).toContain('Value: none');
  });

  it('are found where else they are used, saved ones too, and go from item to item', async () => {
    const { revenue } = world.dataset.columns;
    const saved = await world.ok('formula', {
      action: 'create',
      properties: {
        securable_id: world.dataset.id,
        name: { en: 'Revenue per sale' },
        expression: `sum({${revenue}}) / count(*)`,
      },
    });
    const formulas = await open('total');
    const { editor, panel } = formulas;
    await panel
      .getByRole('group', { name: 'Revenue per sale' })
      .getByRole('button', { name: 'Add Revenue per sale to Measure' })
      .click();
    expect(await measures(editor, 1)).toEqual([
      { formulaId: saved['id'], datasetId: world.dataset.id, id: expect.any(String) },
    ]);
    const own = panel.getByRole('group', { name: 'Revenue per sale' });
    await expect.poll(() => own.textContent()).toContain(`Value: ${sqlValue('sum(revenue) / count(*)')}`);
    expect(await own.locator('.read').textContent()).toContain('sum({Revenue}) / count(*)');
    await editor.frame('pieces').click();
    await expect.poll(() => own.textContent()).toContain('Used in: Total');
    await own.getByRole('button', { name: 'Add Revenue per sale to Measure' }).click();
    await expect.poll(() => own.textContent()).toContain('Used in: Total');
    await own.getByRole('button', { name: 'Change it in this item only' }).click();
    await expect.poll(() => formulas.text.inputValue()).toBe('sum({Revenue}) / count(*)');
    const [entry] = await measures(editor, 2);
    expect(entry).toMatchObject({ formula: `sum({${revenue}}) / count(*)`, datasetId: world.dataset.id });
    expect(entry).not.toHaveProperty('formulaId');
    await world.ok('formula', { action: 'delete', id: saved['id'] ?? null });
  });

  it('are written by whom the service lets write them, and only read by others', async () => {
    const { revenue } = world.dataset.columns;
    const contents: JsonObject = JSON.parse(
      JSON.stringify(fiveItems(world.dataset)).replace(
        `{"columnId":"${revenue}",`,
        `{"formula":"sum({${revenue}}) * 2","label":"Double",`,
      ),
    );
    const token = (more: JsonObject) => (dashboardId: string) =>
      world.token([dashboardId], {
        role: 'designer',
        access: {
          dashboards: [{ id: dashboardId, rights: 'modify' }],
          datasets: [{ id: world.dataset.id, rights: 'use' }],
        },
        ...more,
      });
    const writer = await open('bars', { contents, by: token({}) });
    await expect.poll(() => writer.text.inputValue()).toBe('sum({Revenue}) * 2');
    await expect.poll(() => writer.value.textContent()).toContain(`Value: ${sqlValue('sum(revenue) * 2')}`);
    await writer.text.fill('sum({Revenue}) * 3');
    await writer.text.blur();
    await writer.editor.save();
    expect(await writer.editor.ask('editor.isChanged')).toBe(false);
    const reader = await open('bars', { contents, by: token({ feature_overrides: ['!formulas'] }) });
    await expect.poll(() => reader.panel.getByText('without the feature “formulas”').count()).toBe(1);
    expect(await reader.panel.locator('.read').textContent()).toContain('sum({Revenue}) * 2');
    expect(await reader.panel.getByRole('textbox').count()).toBe(0);
    expect(await reader.panel.getByRole('button').count()).toBe(0);
    const asked = reader.editor.watched.requests.filter(
      ({ url, body }) => url.endsWith('/data') && body?.includes('formula') === true && !body.includes('item_id'),
    );
    expect(asked).toEqual([]);
  });

  it.each([
    { locale: 'en', theme: 'default', width: 1440, heading: 'Formulas' },
    { locale: 'en', theme: 'default_dark', width: 390, heading: 'Formulas' },
    { locale: 'ar', theme: 'default_dark', width: 1440, heading: 'الصيغ' },
  ])('have nothing that axe finds in $locale, $theme, $width px wide', async ({ locale, theme, width, heading }) => {
    const { revenue, quantity } = world.dataset.columns;
    const contents: JsonObject = JSON.parse(
      JSON.stringify(fiveItems(world.dataset)).replace(
        `{"columnId":"${revenue}",`,
        `{"formula":"sum({${revenue}}) / sum({${quantity}})",`,
      ),
    );
    const id = await world.dashboard(contents);
    const editor = await EditorPage.open(browser, world, id, world.owner, { width, locale });
    await editor.ask(`{ editor.theme = '${theme}'; await editor.updateComplete; }`);
    const formulas = new FormulaPage(editor);
    await formulas.open('bars', heading);
    const text = formulas.panel.getByRole('textbox').last();
    await expect.poll(() => formulas.value.textContent()).toMatch(/[\d٠-٩]/u);
    expect(await accessibilityFaults(editor.page)).toEqual([]);
    await text.focus();
    await text.press('Control+End');
    await editor.page.keyboard.type(' + sum(');
    await editor.page.keyboard.press('Control+Space');
    await formulas.options.first().waitFor();
    expect(await accessibilityFaults(editor.page)).toEqual([]);
    expect(await text.getAttribute('dir')).toBe('ltr');
    expect(editor.watched.errors).toEqual([]);
  });
});
