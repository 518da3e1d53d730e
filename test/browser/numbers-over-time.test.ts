import type { JsonObject } from '@inlay/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openedPages } from './opened-pages.ts';
import { card, noBrowser, startBrowser } from './page.ts';
import { contentsOf, item, slot } from './sales.ts';
import { startEmbedWorld, textOf, type Credential, type EmbedWorld } from './world.ts';
import { datasetIn } from '../support/world.ts';

const zone = 'America/New_York';
const dayMs = 86_400_000;

interface Visit {
  /** The day of the wall clock in the zone, as midnight in UTC. */
  readonly day: number;
  readonly at: string;
  readonly guest: string;
  readonly spent: number | null;
}

const wallDay = (atMs: number): number =>
  Date.parse(`${new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(atMs)}T00:00:00Z`);

const utc = (day: number, months: number, date?: number): number => {
  const at = new Date(day);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, date ?? at.getUTCDate());
};
/** Returns the first day of a period of this many months. */
const startOf = (day: number, months: number): number => utc(day, -(new Date(day).getUTCMonth() % months), 1);

/** Returns the Monday of a week. */
const weekOf = (day: number): number => day - ((new Date(day).getUTCDay() + 6) % 7) * dayMs;

/** Visits of 1,110 days before a moment and of the days that its week and its month have left; some without an amount. */
function visitsAround(nowMs: number): readonly Visit[] {
  const today = wallDay(nowMs);
  const isAhead = (day: number): boolean =>
    day <= today + 6 * dayMs && startOf(day, 1) === startOf(today, 1) && weekOf(day) === weekOf(today);
  let state = 20_261;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const all = Array.from({ length: 4000 }, (): Visit => {
    const back = random() < 0.05 ? -6 * random() : 1110 * random();
    const atMs = Math.floor((nowMs - back * dayMs) / 1000) * 1000;
    const spent = random() < 0.05 ? null : Math.round(random() * 900) / 4;
    return { day: wallDay(atMs), at: new Date(atMs).toISOString(), guest: `g${Math.floor(random() * 60)}`, spent };
  });
  return all.filter(({ day }) => day <= today || isAhead(day));
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const spentIn = (rows: readonly Visit[]): readonly number[] => rows.flatMap(({ spent }) => spent ?? []);
const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  const half = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(half)] ?? Number.NaN) + (sorted[Math.ceil(half)] ?? Number.NaN)) / 2;
};

/** What a number is of: the value of its rows. */
const measures: Readonly<Record<string, (rows: readonly Visit[]) => number>> = {
  sum: (rows) => sum(spentIn(rows)),
  count: (rows) => spentIn(rows).length,
  average: (rows) => sum(spentIn(rows)) / spentIn(rows).length,
  median: (rows) => median(spentIn(rows)),
  max: (rows) => Math.max(...spentIn(rows)),
  distinctcount: (rows) => new Set(rows.map(({ guest }) => guest)).size,
  rows: (rows) => rows.length,
  ratio: (rows) => sum(spentIn(rows)) / rows.length,
};
const formulas: Readonly<Record<string, string>> = { rows: 'count(*)', ratio: 'sum({spent}) / count(*)' };
const levels = { year: 1, quarter: 2, month: 3, week: 4 } as const;

/** Returns the same date this many months before, the last of the month where that is shorter. */
const earlier = (day: number, months: number): number => Math.min(utc(day, -months), utc(day, 1 - months, 0));

/**
 * Returns the first and the last day that count: of the period in which today is, and of the one that it is compared
 * with.
 */
function spans(level: keyof typeof levels, kind: 'previous' | 'year', today: number): readonly (readonly number[])[] {
  if (level === 'week') {
    const start = weekOf(today);
    const back = (kind === 'year' ? 52 : 1) * 7 * dayMs;
    return [
      [start, today],
      [start - back, today - back],
    ];
  }
  const months = { year: 12, quarter: 3, month: 1 }[level];
  const start = startOf(today, months);
  const isLast = startOf(today + dayMs, months) !== start;
  const before = kind === 'year' ? utc(start, -12) : utc(start, -months);
  const end = utc(before, months) - dayMs;
  const sameDay = kind === 'year' ? earlier(today, 12) : Math.min(end, before + today - start);
  return [
    [start, today],
    [before, isLast ? end : sameDay],
  ];
}

/** Returns the texts of every number, by its title. */
function wanted(visits: readonly Visit[], today: number): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, readonly string[]>();
  for (const [place, [name, of]] of Object.entries(measures).entries())
    for (const [index, level] of (['year', 'quarter', 'month', 'week'] as const).entries()) {
      const kind = (place + index) % 2 === 0 ? 'previous' : 'year';
      const [now = Number.NaN, then = Number.NaN] = spans(level, kind, today).map(([from = 0, to = 0]) =>
        of(visits.filter(({ day }) => day >= from && day <= to)),
      );
      const change = ((now - then) / then).toLocaleString('en', {
        style: 'percent',
        maximumFractionDigits: 1,
        signDisplay: 'exceptZero',
      });
      const value = now.toLocaleString('en', { maximumFractionDigits: 2 });
      texts.set(`${name} by ${level} against ${kind}`, [value, change, 'so far', 'same days']);
    }
  return texts;
}

describe('a number over time whose last period has not ended', () => {
  let world: EmbedWorld;
  let browser: Browser | null = null;
  let dashboard: string;
  let token: Credential;
  const openPage = openedPages();
  const startedMs = Date.now();
  const visits = visitsAround(startedMs);
  /** What it says today, and what it says if midnight comes while the test runs. */
  const expected = (): readonly ReadonlyMap<string, readonly string[]>[] =>
    [startedMs, Date.now()].map((at) => wanted(visits, wallDay(at)));
  const says = (texts: readonly string[], text: string): boolean => texts.every((one) => text.includes(one));

  beforeAll(async () => {
    world = await startEmbedWorld({ INLAY_DEMO: 'false' });
    browser = noBrowser === undefined ? await startBrowser() : null;
    const data = [['at', 'guest', 'spent'], ...visits.map(({ at, guest, spent }) => [at, guest, spent])];
    const pushed = datasetIn(
      await world.ok('data', {
        action: 'create',
        properties: { type: 'create', data, options: { header: true, name: { en: 'Visits' } } },
      }),
    );
    const { rows } = await world.ok('column', { find: { where: { securable_id: pushed.id } } });
    const found: readonly JsonObject[] = Object(rows);
    const idOf = (name: string): string => textOf(found.find((one) => one['source_name'] === name)?.['id']);
    const on = (name: string, type: string, more: JsonObject): JsonObject => ({
      datasetId: pushed.id,
      columnId: idOf(name),
      type,
      ...more,
    });
    const measureOf = (name: string): JsonObject => {
      const formula = formulas[name]?.replace('{spent}', `{${idOf('spent')}}`);
      if (formula !== undefined) return { datasetId: pushed.id, formula, type: 'numeric' };
      const [column, type] =
        name === 'distinctcount' ? (['guest', 'hierarchy'] as const) : (['spent', 'numeric'] as const);
      return on(column, type, { aggregationFunc: name });
    };
    const items = [...wanted(visits, 0).keys()].map((title, index) => {
      const [, name = '', level = '', kind = ''] = /^(.+) by (\w+) against (\w+)$/u.exec(title) ?? [];
      const number = Object.entries(levels).find(([word]) => word === level)?.[1] ?? 0;
      return item(
        title,
        'evolution-number',
        [slot('measure', measureOf(name)), slot('evolution', on('at', 'datetime', { level: number }))],
        [(index % 4) * 12, Math.floor(index / 4) * 10, 12, 10],
        { options: { comparison: { with: kind } } },
      );
    });
    const contents = { ...contentsOf(world.dataset, items), timezone: { type: 'fixed', id: zone } };
    const made = await world.ok('dashboard', {
      action: 'create',
      properties: { name: { en: 'Visits' }, contents },
      associations: [{ role: 'Datasets', id: pushed.id }],
    });
    dashboard = textOf(made['id']);
    // Readers of the dashboard alone, who see what its items ask for.
    const access = {
      dashboards: [{ id: dashboard, rights: 'read' }],
      datasets: [{ id: pushed.id, rights: 'read' }],
    };
    token = await world.token([dashboard], { access });
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('is compared with the same days of the other one in files, whatever its measure is', async () => {
    const answer = await fetch(`${world.service.url}/0.1.0/export`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token.key}:${token.token}`,
        connection: 'close',
      },
      body: JSON.stringify({ action: 'create', properties: { type: 'svg', dashboard_id: dashboard, width: 1600 } }),
    });
    expect(answer.status, answer.ok ? '' : await answer.text()).toBe(200);
    const [, ...pieces] = (await answer.text()).replaceAll(/<[^>]*>/gu, '\n').split(/\n(?=\S+ by \w+ against)/u);
    const wrong = (texts: ReadonlyMap<string, readonly string[]>): readonly string[] =>
      [...texts].flatMap(([title, own]) => {
        const piece = pieces.find((one) => one.startsWith(title)) ?? '';
        return says(own, piece) ? [] : [`${title}: ${own.join(', ')} is not in ${piece.replaceAll(/\s+/gu, ' ')}`];
      });
    const faults = expected().map(wrong);
    expect(faults.find(({ length }) => length === 0) ?? faults[0]).toEqual([]);
  });

  it.skipIf(noBrowser !== undefined)('is compared with the same days of the other one in pages', async () => {
    if (browser === null) return;
    const { page } = await openPage(browser, world, dashboard, token, { height: 6000 });
    for (const title of wanted(visits, 0).keys()) {
      const figure = card(page, title).locator('.figure');
      await expect
        .poll(async () => (await figure.innerText()).replaceAll(/\s+/gu, ' '))
        .toSatisfy((text: string) => expected().some((texts) => says(texts.get(title) ?? [], text)));
    }
  });
});
