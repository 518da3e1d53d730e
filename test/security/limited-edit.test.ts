import { isObject, listOr, objectOr, upgradeContents, type Json, type JsonObject } from '@inlay/contract';
import { DashboardModel } from '@inlay/contract/change';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { withInner } from '../../packages/contract/src/dashboard/model/part.ts';
import { changeOn, draws, type Draw } from '../support/arbitrary-change.ts';
import { realContents } from '../support/arbitrary-contents.ts';
import { useApi } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { pushSales, salesContents } from '../support/sales-world.ts';
import type { Credential } from '../support/service.ts';

// What limited editing includes, written by hand and apart from the classes that the service decides by.
const looks: readonly string[] = `filterNote stacked percent oneColor colors rules scale axis legend labels curve points
  references trend range shapes totals subtotals bars align fit tabs style menu exports`.split(/\s+/u);
const looksOfViews: readonly string[] = ['theme', 'showTitle', 'columns', 'rowHeight', 'menu', 'exports'];
const looksOfEntries: readonly string[] = ['format', 'currency', 'unit', 'notation'];

const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
const objectsIn = (value: Json | undefined, change: (entry: JsonObject) => JsonObject): readonly Json[] =>
  listOr(value).map((entry) => (isObject(entry) ? change(entry) : entry));
const canonical = (value: Json): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );

/** Returns what a limited editor must leave as it is, as text. */
function essence(contents: Json, mayUse: boolean): string {
  const { contents: whole } = DashboardModel.read(JSON.stringify(upgradeContents(objectOr(contents)))).withIds();
  const filters = mayUse ? ['type', 'filters'] : [];
  const options = (item: JsonObject): JsonObject =>
    without(objectOr(item['options']), [...looks, ...(mayUse ? ['parameter', 'choices', 'multiple'] : [])]);
  const slots = (item: JsonObject): readonly Json[] =>
    objectsIn(item['slots'], (slot) => ({
      ...slot,
      content: objectsIn(slot['content'], (entry) => without(entry, looksOfEntries)),
    }));
  const items = (view: JsonObject): readonly Json[] =>
    objectsIn(view['items'], (item) => ({
      ...without(item, ['position', 'hidden', 'locked', ...filters]),
      options: options(item),
      slots: slots(item),
    }));
  const views = objectsIn(objectOr(whole)['views'], (view) => ({
    ...without(view, mayUse ? ['filterGroups'] : []),
    options: without(objectOr(view['options']), looksOfViews),
    items: items(view).toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1)),
  }));
  const rest = without(objectOr(whole), ['version', 'syncScreenModes', ...(mayUse ? ['parameters'] : [])]);
  return canonical({ ...rest, views });
}

const pick = <Value>(values: readonly Value[], number = 0): Value | undefined => values[number % values.length];

/** Ways to hide what changes rows behind what does not, each made of two items of the contents. */
const smuggles: readonly ((one: JsonObject, other: JsonObject) => JsonObject)[] = [
  (one, other) => ({ ...one, slots: other['slots'] ?? [] }),
  (one, other) => ({ ...other, id: one['id'] ?? null }),
  (one, other) => ({ ...one, id: other['id'] ?? null, position: other['position'] ?? null }),
  (one, other) => ({ ...one, options: { ...objectOr(one['options']), sparkline: listOr(other['slots'])[0] ?? {} } }),
  (one) => ({ ...one, options: { ...objectOr(one['options']), sort: { by: 'measure', order: 'asc' } } }),
  (one) => ({ ...one, options: { ...objectOr(one['options']), link: { url: 'https://example.com/{{x}}' } } }),
  (one) => ({ ...one, options: { ...objectOr(one['options']), src: 'https://example.com/a.png', limit: 1 } }),
  (one) => ({ ...one, title: 'Mine' }),
  (one) => ({ ...one, content: { slots: [] } }),
  (one) => without(one, ['id']),
  (one) => without(one, ['slots']),
  (one) => ({ ...one, slots: listOr(one['slots']).toReversed() }),
  (one) => ({ ...one, type: 'regular-table', position: { col: 0, row: 0, sizeX: 9, sizeY: 9 } }),
];
const harmless = (one: JsonObject, number: number): JsonObject => ({
  ...one,
  position: { col: number % 24, row: number % 50, sizeX: 12, sizeY: 12 },
});

type Way = 'operations' | 'smuggle' | 'add' | 'layout' | 'both';

/** Returns contents with a change of one way. */
function changed(contents: Json, way: Way, numbers: readonly number[], all: readonly Draw[]): Json {
  const model = DashboardModel.read(JSON.stringify(contents));
  if (way === 'operations') return changeOn(model, all).model.contents;
  const items = withInner(model.root).filter(({ kind }) => kind === 'item');
  const [first, second] = [pick(items, numbers[0]), pick(items, numbers[1])];
  if (first === undefined || second === undefined) return changeOn(model, all).model.contents;
  const made = pick(smuggles, numbers[2])?.(first.value, second.value) ?? first.value;
  const placed = harmless(way === 'both' ? made : first.value, numbers[3] ?? 0);
  if (way === 'layout' || way === 'both') return model.with(first, [], placed).contents;
  if (way === 'smuggle') return model.with(first, [], made).contents;
  const view = model.views.find(({ parts }) => parts.includes(first));
  return view === undefined ? contents : model.with(view, ['items'], [...listOr(view.value['items']), made]).contents;
}

describe('an embed token with limited editing', () => {
  const api = useApi('sqlite');
  const starts: { readonly id: string; readonly contents: JsonObject; readonly by: Credential; mayUse: boolean }[] = [];

  beforeAll(async () => {
    const issuer = await api.apiToken(api.owner);
    const dataset = await pushSales(api);
    const start = async (contents: JsonObject, rights: string | null): Promise<void> => {
      const { id } = await api.create('dashboard', { contents });
      const stored = objectOr((await api.get('dashboard', id))['contents']);
      const access = {
        dashboards: [{ id, rights: 'modify' }],
        datasets: rights === null ? [] : [{ id: dataset.id, rights }],
      };
      const properties = { role: 'designer', access, feature_overrides: ['!edit_full', 'edit_limited'] };
      starts.push({ id, contents: stored, by: await api.embedToken(properties, issuer), mayUse: rights === 'use' });
    };
    await start(salesContents(dataset), 'use');
    await start(salesContents(dataset), 'read');
    await start(salesContents(dataset), null);
    for (const text of realContents) await start(JSON.parse(text), null);
  }, 120_000);

  it('changes layout and look alone, and with *use* on the datasets type and filters', async () => {
    const ways = fc.constantFrom<Way>('operations', 'smuggle', 'add', 'layout', 'both');
    const counts = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        ways,
        fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
        draws,
        async (nth, way, numbers, all) => {
          const start = pick(nth % 2 === 0 ? starts.slice(0, 3) : starts, Math.floor(nth / 2));
          if (start === undefined) throw new Error('no contents to start from');
          const { id, contents, by, mayUse } = start;
          const sent = changed(contents, way, numbers, all);
          const answer = await api.call('dashboard', { action: 'update', id, properties: { contents: sent } }, by);
          if (answer.status !== 200) {
            expect([400, 403]).toContain(answer.status);
            counts.refused += 1;
            return;
          }
          counts.accepted += 1;
          const stored = objectOr((await api.get('dashboard', id))['contents']);
          expect(essence(stored, mayUse)).toBe(essence(contents, mayUse));
          await api.update('dashboard', id, { contents });
        },
      ),
      { numRuns: counted(300, 10_000), seed: 24 },
    );
    expect(counts.accepted).toBeGreaterThan(30);
    expect(counts.refused).toBeGreaterThan(100);
  }, 3_600_000);

  it('is told what it may not change, with its path', async () => {
    const [withUse, withRead] = starts;
    if (withUse === undefined || withRead === undefined) throw new Error('no contents to start from');
    const other = (contents: JsonObject, text: string, instead: string): JsonObject =>
      JSON.parse(JSON.stringify(contents).replace(text, instead));
    const type = (contents: JsonObject) => other(contents, '"type":"column-chart"', '"type":"bar-chart"');
    const title = (contents: JsonObject) => other(contents, '"title":{"en":"Regions"}', '"title":{"en":"Areas"}');
    const filter = (contents: JsonObject) => other(contents, '"Europe"]', '"Asia"]');
    const attempt = ({ id, by }: (typeof starts)[number], properties: object) =>
      api.call('dashboard', { action: 'update', id, properties }, by);
    for (const change of [type, filter]) {
      expect((await attempt(withUse, { contents: change(withUse.contents) })).status).toBe(200);
      await api.update('dashboard', withUse.id, { contents: withUse.contents });
    }
    const cases: readonly (readonly [(typeof starts)[number], object, string])[] = [
      [withRead, { contents: type(withRead.contents) }, 'properties.contents.views[0].items[0].type'],
      [withRead, { contents: filter(withRead.contents) }, 'properties.contents.views[0].filterGroups[0].filters[0]'],
      [withUse, { contents: title(withUse.contents) }, 'properties.contents.views[0].items[0].title'],
      [withUse, { name: { en: 'Mine' } }, 'properties.name'],
      [withUse, { css: '.a {}' }, 'properties.css'],
    ];
    for (const [start, properties, path] of cases) {
      const { status, body } = await attempt(start, properties);
      const { code, validation } = Object(body);
      expect([status, code]).toEqual([403, 'feature_off']);
      expect(Object.keys(validation).some((at) => at.startsWith(path))).toBe(true);
    }
  });
});
