import type { JsonObject } from '@inlay/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { attribute, openPage, until, type Seen, type Watched } from '../browser/page.ts';
import type { SalesDataset } from '../browser/sales.ts';
import type { Credential, EmbedWorld } from '../browser/world.ts';

type Place = readonly [col: number, row: number, sizeX: number, sizeY: number];

/** Contents with five items on the desktop, from which the other views derive. */
export function fiveItems({ id: datasetId, columns }: SalesDataset): JsonObject {
  const entry = (columnId: string, more: JsonObject = {}): JsonObject => ({ columnId, datasetId, ...more });
  const item = (id: string, type: string, title: string, [col, row, sizeX, sizeY]: Place, slots: JsonObject) => ({
    id,
    type,
    title: { en: title },
    options: {},
    position: { col, row, sizeX, sizeY },
    slots: Object.entries(slots).map(([name, content]) => ({ name, content: [content] })),
  });
  const { region, product, revenue, quantity, day } = columns;
  const view = (screenModus: string, items: readonly JsonObject[]): JsonObject => ({
    screenModus,
    options: { theme: { id: 'default' }, share: { poweredBy: false }, alertingEnabled: false },
    filterGroups: [],
    items,
  });
  const items = [
    item('bars', 'bar-chart', 'Products', [0, 0, 24, 16], { 'y-axis': entry(product), measure: entry(revenue) }),
    item('total', 'evolution-number', 'Total', [24, 0, 12, 8], { measure: entry(revenue) }),
    item('pieces', 'evolution-number', 'Pieces', [36, 0, 12, 8], { measure: entry(quantity) }),
    item('regions', 'column-chart', 'Regions', [24, 8, 24, 16], { 'x-axis': entry(region), measure: entry(revenue) }),
    item('months', 'line-chart', 'Months', [0, 16, 24, 14], {
      'x-axis': entry(day, { level: 3 }),
      measure: entry(revenue),
    }),
  ];
  return {
    version: '0.1.99',
    syncScreenModes: true,
    datasetLinks: {},
    views: [view('desktop', items), view('tablet', []), view('mobile', [])],
    parameters: [],
    timezone: { type: 'fixed', id: 'UTC' },
  };
}

/** Returns a token of an end user who may edit a dashboard over the dataset. */
export const editorToken = (
  world: EmbedWorld,
  id: string,
  username: string,
  more: JsonObject = {},
): Promise<Credential> =>
  world.token([id], {
    username,
    role: 'designer',
    access: { dashboards: [{ id, rights: 'modify' }], datasets: [{ id: world.dataset.id, rights: 'use' }] },
    ...more,
  });

/** An editor in a page of a site, and what tests do with it. */
export class EditorPage {
  readonly watched: Watched;

  private constructor(watched: Watched) {
    this.watched = watched;
  }

  /** Opens a dashboard in an editor, and waits until its items are drawn. */
  static async open(
    browser: Browser,
    world: EmbedWorld,
    dashboardId: string,
    { key, token }: Credential = world.owner,
    seen: Seen = {},
  ): Promise<EditorPage> {
    const given = { 'dashboard-id': dashboardId, 'auth-key': key, 'auth-token': token, 'api-host': world.service.url };
    const attributes = Object.entries({ ...given, ...seen.attributes }).map(
      ([name, value]) => `${name}="${attribute(value)}"`,
    );
    const head = `<script type="module" src="${world.service.url}/embed/editor.js"></script>`;
    const watched = await openPage(browser, world, `<inlay-editor ${attributes.join(' ')}></inlay-editor>`, {
      width: 1440,
      ...seen,
      head,
    });
    const opened = new EditorPage(watched);
    await opened.drawn();
    return opened;
  }

  get page(): Page {
    return this.watched.page;
  }

  /** Waits until every item has been drawn. */
  drawn(): Promise<void> {
    return until(
      this.page,
      `told.some(({ name, detail }) => name === 'rendered' || (name === 'loaded' && detail.items === 0))`,
    );
  }

  /** Evaluates an expression about the editor, called `editor`. */
  ask<Answer>(expression: string): Promise<Answer> {
    const body = expression.startsWith('{') ? expression : `(${expression})`;
    return this.page.evaluate<Answer>(`(async (editor) => ${body})(document.querySelector('inlay-editor'))`);
  }

  /** Text of the contents in the editor. */
  text(): Promise<string> {
    return this.ask('editor.session.model.text');
  }

  /** Positions of the items of a view of the contents in the editor, by id. */
  async places(mode = 'desktop'): Promise<Readonly<Record<string, readonly number[]>>> {
    return this.ask(
      `Object.fromEntries(editor.contents.views.find((view) => view.screenModus === '${mode}').items.map(
        ({ id, position: { col, row, sizeX, sizeY } }) => [id, [col, row, sizeX, sizeY]]))`,
    );
  }

  /** What the live region of the grid says. */
  async spoken(): Promise<string> {
    return (await this.page.locator('inlay-grid [role=status]').last().textContent())?.trim() ?? '';
  }

  /** The frame by which an item is selected, moved and focused. */
  frame(id: string): Locator {
    return this.page.locator(`inlay-grid .frame[data-id="${id}"] > .body`);
  }

  handle(id: string, edge: string): Locator {
    return this.page.locator(`inlay-grid .frame[data-id="${id}"] > [data-edge="${edge}"]`);
  }

  button(name: string): Locator {
    return this.page.locator('inlay-editor').getByRole('button', { name, exact: true });
  }

  /** A field with a list of choices. */
  choice(name: string): Locator {
    return this.page.locator('inlay-editor').getByRole('combobox', { name, exact: true });
  }

  field(name: string): Locator {
    return this.page.locator('inlay-editor').getByLabel(name, { exact: true });
  }

  /** Width of a column and height of a row on the page, in pixels. */
  async cell(): Promise<readonly [number, number]> {
    const width = await this.page.locator('inlay-grid .grid').evaluate((grid) => grid.clientWidth);
    return [width / 48, 16];
  }

  /** Drags something by columns and rows with the mouse. */
  async drag(what: Locator, columns: number, rows: number): Promise<void> {
    const [[cellX, cellY], box] = [await this.cell(), await what.boundingBox()];
    if (box === null) throw new Error('there is nothing to drag');
    const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 40)];
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + columns * cellX, y + rows * cellY, { steps: 4 });
    await this.page.mouse.up();
  }

  /** Drags something by columns and rows with a finger. */
  async touch(what: Locator, columns: number, rows: number): Promise<void> {
    const [[cellX, cellY], box] = [await this.cell(), await what.boundingBox()];
    if (box === null) throw new Error('there is nothing to touch');
    const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 40)];
    const session = await this.watched.context.newCDPSession(this.page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', byX: number, byY: number): Promise<unknown> =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: x + byX, y: y + byY }],
      });
    await send('touchStart', 0, 0);
    for (const part of [0.25, 0.5, 0.75, 1]) await send('touchMove', columns * cellX * part, rows * cellY * part);
    await send('touchEnd', 0, 0);
    await session.detach();
  }

  /** Gives an item another title by the form. */
  async retitle(id: string, title: string): Promise<void> {
    await this.frame(id).click();
    await this.field('Title').fill(title);
    await this.field('Title').press('Enter');
  }

  /** Waits until the service keeps the latest edits as a draft. */
  kept(): Promise<void> {
    return until(this.page, `document.querySelector('inlay-editor').session?.draftState === 'kept'`);
  }

  /** Loads the page again, and waits until the items are drawn. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.drawn();
  }

  /** Saves by the button, and waits until it is done. */
  async save(): Promise<void> {
    await this.button('Save').click();
    await until(this.page, `document.querySelector('inlay-editor').session.isSaving === false`);
  }
}
