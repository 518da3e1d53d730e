import type { Json, JsonObject } from '@inlay/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Chance, conditionOf, contentOf, factsOf, visitsOf, type ItemFacts } from '../corpus/items/draw.ts';
import { evaluate } from '../corpus/items/evaluate.ts';
import { textsOf } from '../corpus/items/write.ts';
import { isFull } from '../support/counts.ts';
import { runSeed } from '../support/seed.ts';
import { datasetIn } from '../support/world.ts';
import { openedPages } from './opened-pages.ts';
import { card, noBrowser, startBrowser } from './page.ts';
import { startEmbedWorld, textOf, type Credential, type EmbedWorld } from './world.ts';

const [dashboards, items] = [10, 30];
const skipped = noBrowser ?? (isFull ? undefined : 'it takes minutes and runs with INLAY_TEST_FULL=1 only');

/** Returns an item whose rows, at most five, are all said in words. */
function factsIn(chance: Chance, { zone, locale }: Pick<ItemFacts, 'zone' | 'locale'>): ItemFacts {
  for (;;) {
    const facts = { ...factsOf(chance), zone, locale };
    const isSaid = facts.split === null && !['evolution-number', 'pivot-table'].includes(facts.type);
    if (isSaid && facts.limit !== null && facts.limit < 5) return facts;
  }
}

describe.skipIf(skipped !== undefined)('random items in pages', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dataset = '';
  let token: Credential;
  const columns = new Map<string, string>();
  const openPage = openedPages();
  const visits = visitsOf(new Chance(runSeed));

  /** Contents and filters over the dataset of the service. */
  const placed = (contents: Json): JsonObject => {
    const ids: Json = JSON.parse(JSON.stringify(contents), (name, value: unknown) => {
      if (typeof value !== 'string') return value;
      if (name === 'datasetId' || name === 'dataset_id') return dataset;
      if (name === 'columnId' || name === 'column_id') return columns.get(value);
      return name === 'formula' ? value.replaceAll(/\{(\w+)\}/gu, (_, own: string) => `{${columns.get(own)}}`) : value;
    });
    return Object(ids);
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
    const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
    const data = [
      ['name', 'kind', 'at', 'day', 'amount', 'units'],
      ...visits.map(({ name, kind, at, day, amount, units }) => [
        name,
        kind,
        iso(at),
        iso(day)?.slice(0, 10) ?? null,
        amount,
        units,
      ]),
    ];
    const pushed = datasetIn(
      await world.ok('data', {
        action: 'create',
        properties: { type: 'create', data, options: { header: true, name: { en: 'Visits' } } },
      }),
    );
    dataset = pushed.id;
    const found: readonly JsonObject[] = Object(
      (await world.ok('column', { find: { where: { securable_id: dataset } } }))['rows'],
    );
    for (const one of found) columns.set(textOf(one['source_name']), textOf(one['id']));
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('show what a plain evaluator computes of the rows', async () => {
    const chance = new Chance(runSeed * 17);
    const faults: string[] = [];
    for (let index = 0; index < dashboards; index += 1) {
      const look = {
        zone: chance.pick(['UTC', 'Europe/Brussels', 'America/New_York', 'Asia/Kathmandu']),
        locale: chance.pick<ItemFacts['locale']>(['en', 'fr', 'de', 'nl', 'ar']),
      };
      const all = Array.from({ length: items }, () => factsIn(chance, look));
      const views = [
        {
          screenModus: 'desktop',
          options: {},
          items: all.map((facts, place) => ({
            ...placed(contentOf(facts)),
            id: `i${place}`,
            title: `Item ${place}.`,
            aggregationFunc: null,
            position: { col: (place % 3) * 16, row: Math.floor(place / 3) * 14, sizeX: 16, sizeY: 14 },
          })),
          filterGroups: all.flatMap(({ filter }, place) =>
            filter === null
              ? []
              : [
                  {
                    origin: 'itemFilter',
                    itemId: `i${place}`,
                    condition: 'and',
                    filters: [placed(conditionOf(filter))],
                  },
                ],
          ),
        },
      ];
      const contents = { version: '0.1.99', timezone: { type: 'fixed', id: look.zone }, views };
      const made = await world.ok('dashboard', {
        action: 'create',
        properties: { name: { en: 'Visits' }, contents },
        associations: [{ role: 'Datasets', id: dataset }],
      });
      const id = textOf(made['id']);
      token = await world.token([id], {
        access: {
          dashboards: [{ id, rights: 'read' }],
          datasets: [{ id: dataset, rights: 'read' }],
        },
      });
      const { page } = await openPage(browser, world, id, token, { locale: look.locale, height: 5000 });
      for (const [place, facts] of all.entries()) {
        const { rows } = evaluate(facts, visits);
        const texts = rows.map((row) => textsOf(facts, row).page);
        const own = card(page, `Item ${place}.`);
        if (rows.length === 0 || rows.length > 5) continue;
        const isTable = facts.type === 'regular-table';
        const shown = isTable
          ? await own
              .locator('tbody tr')
              .evaluateAll((found) =>
                found.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? '')),
              )
          : await own.getByRole('img').getAttribute('aria-label');
        const wanted = texts.map((row) => row.join(', ')).join('; ');
        const isRight = isTable
          ? JSON.stringify(shown) === JSON.stringify(texts)
          : String(shown).endsWith(`: ${wanted}`);
        if (!isRight)
          faults.push(`${JSON.stringify(facts)}: ${JSON.stringify(shown)} in place of ${JSON.stringify(texts)}`);
      }
      await page.close();
    }
    expect(faults.slice(0, 5), `${faults.length} items are wrong; INLAY_TEST_SEED=${runSeed} repeats them`).toEqual([]);
  });
});
