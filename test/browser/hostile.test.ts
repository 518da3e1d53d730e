import { createServer, type Server } from 'node:http';
import type { Json, JsonObject } from '@inlay/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isFull } from '../support/counts.ts';
import { freePort } from '../support/free-port.ts';
import { card, noBrowser, openDashboard, rendered, startBrowser, until, type Watched } from './page.ts';
import { hostileColors, hostileSheets, hostileTexts } from './payloads.ts';
import { contentsOf, inSlot, item, slot } from './sales.ts';
import { startEmbedWorld, textOf, type Credential, type EmbedWorld } from './world.ts';
import { datasetIn } from '../support/world.ts';

const element = `document.querySelector('inlay-dashboard')`;
const perPage = 70;

const inParts = <Value>(all: readonly Value[]): readonly (readonly Value[])[] =>
  Array.from({ length: Math.ceil(all.length / perPage) }, (_, part) => all.slice(part * perPage, (part + 1) * perPage));

describe.skipIf(noBrowser !== undefined)('what somebody stored to attack whoever looks', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let listener: Server;
  let listening: string;
  const heard: string[] = [];
  const open: Watched[] = [];

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    const port = await freePort();
    listening = `http://127.0.0.1:${port}`;
    listener = createServer((request, response) => {
      heard.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ context }) => context.close()));
  });

  afterAll(async () => {
    listener?.closeAllConnections();
    listener?.close();
    await browser?.close();
    await world?.stop();
  });

  const start = async (id: string, by: Credential, prepare?: (page: Page) => Promise<void>): Promise<Watched> => {
    const watched = await openDashboard(browser, world, id, by, {
      head: '<script>var runs = 0; function pwned() { runs += 1; } window.alert = pwned;</script>',
      ...(prepare === undefined ? {} : { prepare }),
    });
    open.push(watched);
    await rendered(watched.page);
    return watched;
  };

  /** Nothing ran, nothing was loaded from elsewhere, and nothing of the page around was touched or covered. */
  const unharmed = async ({ page, requests }: Watched): Promise<void> => {
    expect(await page.evaluate('runs')).toBe(0);
    expect(await page.evaluate('Object.keys(Object.prototype).length + Number(({}).polluted !== undefined)')).toBe(0);
    const elsewhere = requests
      .map(({ url }) => url)
      .filter(
        (url) => !url.startsWith(world.service.url) && !url.startsWith(world.site.url) && !url.startsWith('data:,'),
      );
    expect(elsewhere).toEqual([]);
    expect(heard).toEqual([]);
    expect(
      await page.evaluate(`document.querySelectorAll('script, style, link, iframe, img, object, base, form').length`),
    ).toBe(3);
    expect(
      await page.evaluate(
        `(() => { const { x, y, width, height } = document.querySelector('h1').getBoundingClientRect(); return document.elementFromPoint(x + width / 2, y + height / 2)?.tagName; })()`,
      ),
    ).toBe('H1');
  };

  it('as text is shown as text: titles, labels, formats, names of members, choices, tooltips, files', async () => {
    const all = hostileTexts(listening);
    expect(new Set(all).size).toBeGreaterThanOrEqual(200);
    const texts = all.filter((_, index) => isFull || index % 4 === 0);
    const pushed = await world.ok('data', {
      action: 'create',
      properties: {
        type: 'create',
        data: [['name', 'value'], ...texts.map((text, index) => [text, index + 1])],
        options: { header: true, name: { en: texts[0] ?? '' } },
      },
    });
    const id = datasetIn(pushed).id;
    const found = await world.ok('column', { find: { where: { securable_id: id } } });
    const columns = new Map(
      (Array.isArray(found['rows']) ? found['rows'] : []).map((row: JsonObject) => [
        row['source_name'],
        textOf(row['id']),
      ]),
    );
    const dataset = {
      id,
      columns: { ...world.dataset.columns, region: columns.get('name') ?? '', revenue: columns.get('value') ?? '' },
    };
    const types = [
      ['donut-chart', 'category', 'measure'],
      ['bar-chart', 'y-axis', 'measure'],
      ['treemap-chart', 'category', 'measure'],
      ['sunburst-chart', 'levels', 'measure'],
      ['bubble-chart', 'category', 'measure'],
      ['choropleth-map', 'geo', 'measure'],
      ['symbol-map', 'geo', 'measure'],
      ['dropdown-filter', 'dimension', 'unused'],
      ['slicer-filter', 'dimension', 'measure'],
      ['regular-table', 'columns', 'columns'],
      ['pivot-table', 'row', 'measure'],
      ['evolution-number', 'measure', 'evolution'],
    ] as const;
    for (const [at, part] of inParts(texts).entries()) {
      const items = part.map((text, index): Json => {
        const [type, first, second] = types[index % types.length] ?? types[0];
        const label = { en: text, [index % 2 === 0 ? 'fr' : `x${text.slice(0, 30)}`]: text };
        const name = inSlot(dataset, 'region', { label, format: text, subtype: text });
        const value = inSlot(dataset, 'revenue', { label: text, format: text });
        const slots = type === 'evolution-number' ? [slot(first, value)] : [slot(first, name), slot(second, value)];
        const place = [(index % 6) * 8, Math.floor(index / 6) * 10, 8, 10] as const;
        return item(`${index}${text}`, type, slots, place, {
          title: { en: text },
          options: { title: text, sort: { by: text, order: text }, limit: index % 7 === 0 ? text : 20 },
        });
      });
      const dashboard = await world.dashboard(contentsOf(dataset, items), { name: { en: part[0] ?? '' } });
      const by = await world.token([dashboard], {
        access: { dashboards: [{ id: dashboard, rights: 'read' }], datasets: [{ id, rights: 'use' }] },
      });
      const watched = await start(dashboard, by);
      const { page } = watched;
      expect(await page.locator('inlay-card canvas').count()).toBeGreaterThan(part.length / 3);
      for (const type of [0, 1, 2])
        await page
          .locator('canvas')
          .nth(type)
          .hover({ position: { x: 60, y: 40 } });
      for (const toggle of (await page.getByRole('button', { name: 'Show as table' }).all()).slice(0, 6))
        await toggle.click();
      await page.waitForTimeout(150);
      await unharmed(watched);
      if (at > 0) continue;
      const svg = await page.evaluate(`${element}.exportData('svg').then((file) => file.text())`);
      await page.setContent(
        `<script>var runs = 0; function pwned() { runs += 1; }</script><h1>A page</h1><main>${String(svg)}</main>`,
      );
      await page.waitForTimeout(100);
      expect(await page.evaluate('runs')).toBe(0);
      expect(heard).toEqual([]);
    }
  });

  const small = async (): Promise<readonly [string, Credential]> => {
    const { dataset } = world;
    const slots = [slot('x-axis', inSlot(dataset, 'region')), slot('measure', inSlot(dataset, 'revenue'))];
    const id = await world.dashboard(
      contentsOf(dataset, [
        item('Bars', 'column-chart', slots, [0, 0, 24, 14]),
        item('Table', 'regular-table', [slot('columns', inSlot(dataset, 'region'))], [24, 0, 24, 14]),
      ]),
    );
    return [id, await world.token([id])];
  };

  it('as CSS loads nothing and stays in its place, even where the service let it through', async () => {
    const sheets = hostileSheets(listening);
    expect(new Set(sheets).size).toBeGreaterThanOrEqual(200);
    const [id, by] = await small();
    const watched = await start(id, by, async (page) => {
      await page.route('**/0.1.0/appearance', async (route) => {
        const answer = await route.fetch();
        const body: JsonObject = JSON.parse(await answer.text());
        await route.fulfill({
          response: answer,
          json: { ...body, css: [...sheets, '.item { outline: 1px solid red }'] },
        });
      });
    });
    await watched.page.waitForTimeout(300);
    await unharmed(watched);
    const kept = await watched.page.evaluate(
      `${element}.shadowRoot.adoptedStyleSheets.slice(1).flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join('\\n')`,
    );
    expect(kept).not.toMatch(
      /url\(|image-set|cross-fade|src\(|@import|@font-face|:host|position: fixed|expression|attr\(p.*url/iu,
    );
    expect(kept).toContain('outline: red solid 1px');
  });

  it('as CSS is refused by the service where it would load, reach out or run', async () => {
    const [id] = await small();
    const refused = hostileSheets(listening).filter((sheet) =>
      /url|@import|src|image|expression|<|cross-fade|\\/iu.test(sheet),
    );
    const accepted: string[] = [];
    // One after the other: many writes at once may be refused because of the load.
    for (const css of refused.slice(0, 60)) {
      const { status } = await world.call('dashboard', { id, properties: { css } });
      if (status !== 400) accepted.push(`${status}: ${css}`);
    }
    expect(accepted).toEqual([]);
  });

  it('as colours, fonts and sizes of a theme reaches no style', async () => {
    const values = hostileColors(listening);
    expect(new Set(values).size).toBeGreaterThanOrEqual(200);
    const [id, by] = await small();
    const watched = await start(id, by);
    const { page } = watched;
    const faults: string[] = [];
    for (const part of inParts(values)) {
      const themes = part.map((value) => ({
        type: value,
        background: value,
        itemsBackground: value,
        mainColor: value,
        colors: [value, value],
        font: { fontFamily: value, fontSize: value, 'font-weight': value, 'font-style': value },
        title: { align: value, bold: value, fontSize: value, lineHeight: value },
        borders: { 'border-color': value, 'border-radius': value, 'border-style': value, 'border-top-width': value },
        boxShadow: { size: value, color: value },
        margins: [value, value],
        axis: { fontSize: value },
        legend: { type: value, fontSize: value },
        tooltip: { background: value, fontSize: value, opacity: value },
        itemSpecific: { rounding: value, padding: value },
      }));
      const styles = await page.evaluate(`(async () => {
        const element = ${element};
        const styles = [];
        for (const theme of ${JSON.stringify(themes)}) {
          element.theme = theme;
          await element.updateComplete;
          styles.push(element.getAttribute('style'));
        }
        return styles;
      })()`);
      for (const style of Array.isArray(styles) ? styles : [])
        if (/url|:\/\/|<|pwned|expression/iu.test(String(style).replaceAll(/--inlay-font-family:[^;]*;/gu, '')))
          faults.push(String(style));
      await page.waitForTimeout(100);
      await card(page, 'Bars')
        .locator('canvas')
        .hover({ position: { x: 80, y: 80 } });
    }
    expect(faults).toEqual([]);
    await unharmed(watched);
    await until(page, `${element}.getData('Bars') !== null`);
  });

  it('as attributes of the element changes nothing but what they are for', async () => {
    const [id, by] = await small();
    const watched = await start(id, by);
    const { page } = watched;
    for (const part of inParts(hostileTexts(listening)))
      await page.evaluate(`(async () => {
        const element = ${element};
        for (const text of ${JSON.stringify(part)}) {
          for (const name of ['locale', 'timezone', 'theme', 'screen-mode']) element.setAttribute(name, text);
          await element.updateComplete;
        }
      })()`);
    for (const name of ['locale', 'timezone', 'theme', 'screen-mode'])
      await page.evaluate(`${element}.removeAttribute('${name}')`);
    await until(page, `${element}.getData('Bars')?.texts.length === 3`);
    expect(await page.locator('canvas').count()).toBe(1);
    await unharmed(watched);
  });
});
