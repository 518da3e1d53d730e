import { isList, itemTypes, slotsOf, type JsonObject } from '@inlay/contract';
import * as build from '@inlay/contract/dashboard';
import { describe, expect, it } from 'vitest';
import { exampleContents } from '../../scripts/contents-reference.ts';
import { useApi } from '../support/api.ts';
import { compileDocument } from '../support/answers.ts';
import { oneStore } from '../support/service.ts';
import { datasetIn, text } from '../support/world.ts';

const camel = (name: string): string => name.replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase());

describe('contents of dashboards', () => {
  const api = useApi(oneStore);
  const sales = async () => {
    const rows = [['2026-01-05T00:00:00Z', 'Europe', 'Books', 12.5, 3]];
    const header = ['date', 'region', 'product', 'revenue', 'units'];
    const made = await api.ok('data', { action: 'create', properties: { data: rows, options: { header } } });
    const id = text(datasetIn(made), 'id');
    const columns = await api.find('column', { where: { securable_id: id }, order: ['order'] });
    const [date = '', region = '', product = '', revenue = '', units = ''] = columns.map((one) => text(one, 'id'));
    return { id, date, region, product, revenue, units };
  };
  const validated = (contents: unknown) => api.ok('dashboard', { action: 'validate', properties: { contents } });

  it('as the reference shows them have nothing to warn of', async () => {
    const { id, date, region, revenue } = await sales();
    expect(await validated(exampleContents(id, { text: region, time: date, number: revenue }))).toEqual({ code: 200 });
  });

  it('of eight charts and two filters are built in TypeScript', async () => {
    const { id, date, region, product, revenue, units } = await sales();
    const of = (column: string, options?: build.EntryOptions) => build.column(id, column, options);
    const position = (col: number, row: number) => ({ col, row, sizeX: 24, sizeY: 16 });
    const contents = build.dashboardContents(
      [
        build.evolutionNumber({
          id: '1',
          position: position(0, 0),
          measure: of(revenue),
          evolution: of(date, { level: 3 }),
        }),
        build.columnChart({
          id: '2',
          position: position(24, 0),
          xAxis: of(region),
          measure: [of(revenue), of(units)],
          title: { en: 'By region' },
        }),
        build.barChart({
          id: '3',
          position: position(0, 16),
          yAxis: of(product),
          measure: of(revenue),
          legend: of(region),
          options: { stacked: true },
        }),
        build.lineChart({
          id: '4',
          position: position(24, 16),
          xAxis: of(date, { level: 3 }),
          measure: of(revenue, { format: ',.0f' }),
        }),
        build.donutChart({ id: '5', position: position(0, 32), category: of(region), measure: of(units) }),
        build.treemapChart({ id: '6', position: position(24, 32), category: of(product), measure: of(revenue) }),
        build.pivotTable({
          id: '7',
          position: position(0, 48),
          row: of(region),
          column: of(product),
          measure: of(revenue),
        }),
        build.regularTable({
          id: '8',
          position: position(24, 48),
          columns: [of(region), of(revenue, { label: 'Sales' })],
        }),
        build.dropdownFilter({
          id: '9',
          position: position(0, 64),
          dimension: of(region),
          options: { multiple: false },
        }),
        build.dateFilter({ id: '10', position: position(24, 64), time: of(date) }),
      ],
      { theme: 'default_dark', timeZone: 'Europe/Brussels' },
    );
    expect(await validated(contents)).toEqual({ code: 200 });
  });

  it.each(itemTypes)('a %s is built with every slot it has', (type) => {
    const entry = build.column('d', 'c');
    const slots = Object.fromEntries(
      slotsOf(type).map(({ name, many }) => [camel(name), many ? [entry, entry] : entry]),
    );
    const builder: unknown = Reflect.get(build, camel(type));
    const item: JsonObject =
      typeof builder === 'function'
        ? builder({ id: 'x', position: { col: 0, row: 0, sizeX: 1, sizeY: 1 }, ...slots })
        : {};
    const built = isList(item['slots']) ? item['slots'] : [];
    expect(item['type']).toBe(type);
    expect(built).toEqual(
      slotsOf(type).map(({ name, many }) => ({
        name,
        content: Array.from({ length: many ? 2 : 1 }, () => ({ datasetId: 'd', columnId: 'c' })),
      })),
    );
  });

  it('have a JSON Schema that takes what has no warnings, and refuses a type of item that is none', async () => {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    const check = new Ajv2020({ strict: false }).compile(build.contentsSchema());
    const good = exampleContents('d', { text: 't', time: 'z', number: 'n' });
    expect(check(good), JSON.stringify(check.errors)).toBe(true);
    expect(check(JSON.parse(JSON.stringify(good).replace('bar-chart', 'bar-char')))).toBe(false);
    expect(compileDocument().document).toHaveProperty(['paths', '/0.1.0/data/file']);
  });
});
