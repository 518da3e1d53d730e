import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contentsSchema } from '@inlay/contract/dashboard';
import type { JsonObject } from '@inlay/contract';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { datasetIn, text } from '../support/world.ts';

const contentsOf = (item: JsonObject, more: JsonObject = {}): JsonObject => ({
  version: '0.1.99',
  views: [
    { screenModus: 'desktop', items: [{ id: 'one', position: { col: 0, row: 0, sizeX: 24, sizeY: 16 }, ...item }] },
  ],
  ...more,
});
const at = 'properties.contents.views[0].items[0]';

describe.each(storesToTest)('what is probably wrong in contents on %s', (store) => {
  const api = useApi(store);
  const sales = async (): Promise<{ readonly id: string; readonly region: string; readonly revenue: string }> => {
    const made = await api.ok('data', {
      action: 'create',
      properties: { data: [['Europe', 1.5]], options: { header: ['region', 'revenue'] } },
    });
    const id = text(datasetIn(made), 'id');
    const columns = await api.find('column', { where: { securable_id: id }, order: ['order'] });
    return { id, region: text(columns[0], 'id'), revenue: text(columns[1], 'id') };
  };
  const chart = async (more: JsonObject = {}): Promise<JsonObject> => {
    const { id, region, revenue } = await sales();
    const slots = [
      { name: 'y-axis', content: [{ datasetId: id, columnId: region }] },
      { name: 'measure', content: [{ datasetId: id, columnId: revenue, format: ',.2f' }] },
    ];
    return { type: 'bar-chart', slots, options: { sort: { by: 'measure', order: 'desc' } }, ...more };
  };

  it('is named with its place, known words and a guess, and stored all the same', async () => {
    const good = await chart();
    const { id: datasetId } = await sales();
    const column = { datasetId, columnId: randomUUID() };
    const cases: readonly (readonly [JsonObject, string, RegExp])[] = [
      [contentsOf({ ...good, type: 'bar-char' }), `${at}.type`, /did you mean "bar-chart"/u],
      [contentsOf({ ...good, options: { stackd: true } }), `${at}.options.stackd`, /did you mean "stacked"/u],
      [
        contentsOf({ ...good, options: { multiple: true } }),
        `${at}.options.multiple`,
        /dropdown-filter, slicer-filter/u,
      ],
      [contentsOf({ ...good, tilte: 'x' }), `${at}.tilte`, /did you mean "title"/u],
      [
        contentsOf({ ...good, slots: [{ name: 'mesure', content: [] }] }),
        `${at}.slots[0].name`,
        /did you mean "measure"/u,
      ],
      [contentsOf({ ...good, type: 'line-chart', slots: [] }), `${at}.slots`, /"x-axis" of line-chart is empty/u],
      [
        contentsOf({
          type: 'bar-chart',
          slots: [{ name: 'measure', content: [{ ...column, format: 'two decimals' }] }],
        }),
        `${at}.slots[0].content[0].format`,
        /d3 number format/u,
      ],
      [
        contentsOf({ type: 'bar-chart', slots: [{ name: 'measure', content: [column] }] }),
        `${at}.slots[0].content[0].columnId`,
        /no column/u,
      ],
      [
        contentsOf({
          type: 'bar-chart',
          slots: [{ name: 'measure', content: [{ datasetId, formulaId: randomUUID() }] }],
        }),
        `${at}.slots[0].content[0].formulaId`,
        /no formula/u,
      ],
      [contentsOf(good, { version: '9.0.0' }), 'properties.contents.version', /newer than 0\.1\.99/u],
      [
        contentsOf(good, { views: [{ screenModus: 'desktop', options: { theme: { id: 'default', colours: [] } } }] }),
        'properties.contents.views[0].options.theme.colours',
        /did you mean "colors"/u,
      ],
    ];
    for (const [contents, path, says] of cases) {
      const made = await api.create('dashboard', { contents });
      const warnings = Array.isArray(made['warnings']) ? made['warnings'] : [];
      expect([path, warnings]).toEqual([
        path,
        expect.arrayContaining([expect.objectContaining({ path, message: expect.stringMatching(says) })]),
      ]);
      expect((await api.get('dashboard', made.id))['contents']).toEqual(contents);
      const strict = await api.refused('dashboard', { action: 'create', properties: { contents } }, undefined, {
        prefer: 'handling=strict',
      });
      expect(strict).toMatchObject({
        status: 400,
        code: 'validation_failed',
        validation: { [path]: [expect.stringMatching(says)] },
      });
      expect(
        (await api.refused('dashboard', { action: 'validate', properties: { contents } })).validation,
      ).toHaveProperty([path]);
    }
    expect(await api.create('dashboard', { contents: contentsOf(good) })).not.toHaveProperty('warnings');
  });

  it('is asked about without storing anything', async () => {
    const name = { en: `validated ${randomUUID()}` };
    const contents = contentsOf(await chart());
    expect(await api.ok('dashboard', { action: 'validate', properties: { name, contents } })).toEqual({ code: 200 });
    expect(await api.findIds('dashboard', { where: { 'name.en': name.en } })).toEqual([]);
    const { id } = await api.create('dashboard', { contents });
    expect(await api.ok('dashboard', { action: 'validate', id, properties: { name } })).toEqual({ code: 200 });
    expect((await api.get('dashboard', id))['name']).toBeNull();
    expect(await api.find('dashboardversion', { where: { securable_id: id } })).toEqual([]);
    expect(
      (await api.refused('dashboard', { action: 'validate', properties: { nmae: name } })).validation,
    ).toHaveProperty('properties.nmae');
    expect(await api.refused('tag', { action: 'validate', properties: {} })).toMatchObject({
      status: 400,
      code: 'operation_unknown',
    });
    const stranger = await api.stranger();
    expect(
      (await api.refused('dashboard', { action: 'validate', id, properties: { name } }, stranger.login)).status,
    ).toBe(404);
    expect((await api.refused('dashboard', { action: 'validate', properties: {} }, null)).status).toBe(401);
  });

  it('of formulas, derived columns and themes is named too', async () => {
    const { id, region, revenue } = await sales();
    const expressions: readonly (readonly [string, RegExp | null])[] = [
      [`sum({${revenue}}) / count(*)`, null],
      ['sum(', /formula/u],
      [`sum({${randomUUID()}})`, /there is no column/u],
      [`sum({${region}})`, /number/u],
      ['summ(1)', /no function/u],
    ];
    for (const [expression, says] of expressions) {
      const properties = { securable_id: id, expression };
      const made = await api.create('formula', properties);
      const path = 'properties.expression';
      if (says === null) expect(made).not.toHaveProperty('warnings');
      else expect(made['warnings']).toEqual([{ path, code: 'formula_invalid', message: expect.stringMatching(says) }]);
      if (says !== null)
        expect((await api.refused('formula', { action: 'validate', properties })).validation).toHaveProperty([path]);
    }
    const derived = await api.create('column', { securable_id: id, type: 'numeric', expression: 'nothing(' });
    expect(derived['warnings']).toMatchObject([{ path: 'properties.expression' }]);
    const theme = await api.create('theme', { theme: { type: 'custom', backgroud: '#fff', font: { size: 3 } } });
    expect(theme['warnings']).toMatchObject([
      { path: 'properties.theme.backgroud' },
      { path: 'properties.theme.font.size' },
    ]);
  });

  it('has a public JSON Schema', async () => {
    const { server } = api.service;
    const answer = await server.inject({ method: 'GET', url: '/schemas/contents/0.1.99.json' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toContain('application/schema+json');
    expect(JSON.parse(answer.body)).toEqual({ $id: '/schemas/contents/0.1.99.json', ...contentsSchema() });
    expect((await server.inject({ method: 'GET', url: '/schemas/contents/0.0.1.json' })).statusCode).toBe(404);
  });
});
