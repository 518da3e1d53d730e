import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { events, methodsOf, propertiesOf } from '../../scripts/embed-reference.ts';
import { freePort } from '../support/free-port.ts';
import { card, noBrowser, openPage, startBrowser, until } from './page.ts';
import { contentsOf, inSlot, item, slot } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

const root = join(import.meta.dirname, '../..');

describe.skipIf(noBrowser !== undefined)('the elements', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;
  let pagePort: number;
  const open: Page[] = [];
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    pagePort = await freePort();
    const origins = `http://127.0.0.1:${pagePort}`;
    [world, browser] = await Promise.all([startEmbedWorld({}, [origins]), startBrowser()]);
    const slots = [slot('x-axis', inSlot(world.dataset, 'region')), slot('measure', inSlot(world.dataset, 'revenue'))];
    dashboard = await world.dashboard(
      contentsOf(world.dataset, [item('Regions', 'column-chart', slots, [0, 0, 24, 16])]),
    );
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((page) => page.context().close()));
  });

  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await browser?.close();
    await world?.stop();
  });

  it.each(['inlay-dashboard', 'inlay-item'] as const)(
    '%s has what its reference says, and nothing public beside',
    async (name) => {
      const { page } = await openPage(browser, world, '');
      open.push(page);
      await until(page, `customElements.get('${name}') !== undefined`);
      const declared: { properties: string[]; attributes: string[]; methods: string[] } = await page.evaluate(`(() => {
      const element = customElements.get('${name}');
      const properties = Object.entries(element.properties).filter(([, { state }]) => state !== true).map(([key]) => key);
      const methods = ${JSON.stringify(methodsOf(name).map((method) => method.name))};
      return {
        properties,
        attributes: element.observedAttributes,
        methods: methods.filter((method) => typeof element.prototype[method] === 'function'),
      };
    })()`);
      const properties = propertiesOf(name);
      expect(new Set(properties.map((one) => one.name))).toEqual(new Set(declared.properties));
      const attributes = properties.flatMap(({ attribute }) => attribute ?? []);
      const written = attributes.flatMap((attribute) => [attribute, attribute.replaceAll('-', '')]);
      expect(new Set(written)).toEqual(new Set(declared.attributes));
      expect(declared.methods).toEqual(methodsOf(name).map((method) => method.name));
      for (const { says } of [...properties, ...methodsOf(name), ...events()]) expect(says).not.toBe('');
      const reference = readFileSync(join(root, 'docs/reference/embed.md'), 'utf8');
      for (const one of [...properties, ...methodsOf(name), ...events()])
        expect(reference).toContain(`| \`${one.name}`);
    },
  );

  it('tell the events that the reference names', async () => {
    const sources = ['board/board-controller', 'board/viewer-controller', 'elements/dashboard', 'elements/item'];
    const told = sources.flatMap((source) => {
      const text = readFileSync(join(root, `packages/embed/src/${source}.ts`), 'utf8');
      return [...text.matchAll(/tell\([\w.#]+, '(\w+)'/gu)].flatMap(([, name]) => name ?? []);
    });
    const named = new Set<string | undefined>(events().map(({ name }) => name));
    expect(new Set(told)).toEqual(named);
    expect(events().map(({ name }) => name)).toEqual([
      'loaded',
      'rendered',
      'itemrendered',
      'filterschanged',
      'clicked',
      'actionchosen',
      'linkfollowed',
      'failed',
    ]);
  });

  it('are shown by small pictures in the guide', () => {
    const guide = readFileSync(join(root, 'docs/guides/embedding.md'), 'utf8');
    const pictures = [...guide.matchAll(/\.\.\/pictures\/([\w-]+\.png)/gu)].map(([, name = '']) => name);
    expect(pictures.length).toBeGreaterThan(4);
    for (const name of pictures) expect(statSync(join(root, 'docs/pictures', name)).size).toBeLessThan(200_000);
  });

  it('work in a page that a server writes, which makes the tokens (examples/embed-server)', async () => {
    const env = {
      ...process.env,
      INLAY_URL: world.service.url,
      INLAY_KEY: world.owner.key,
      INLAY_TOKEN: world.owner.token,
      INLAY_DASHBOARD: dashboard,
      PORT: String(pagePort),
    };
    const child = spawn(process.execPath, [join(root, 'examples/embed-server/server.ts')], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const page = await (await browser.newContext()).newPage();
    open.push(page);
    await page.goto(`http://127.0.0.1:${pagePort}/`);
    await card(page, 'Regions').locator('canvas').waitFor();
    const key = await page.evaluate(`document.querySelector('inlay-dashboard').authKey`);
    await world.ok('authorization', { action: 'delete', id: String(key) });
    await page.evaluate(
      `document.querySelector('inlay-dashboard').addEventListener('itemrendered', () => { globalThis.again = true; }); document.querySelector('inlay-dashboard').refresh()`,
    );
    await until(page, 'globalThis.again === true');
    expect(await page.content()).not.toContain(world.owner.token);
    expect(await page.locator('.state').count()).toBe(0);
  });
});
