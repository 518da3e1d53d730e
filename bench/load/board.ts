import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import {
  barChart,
  column,
  columnChart,
  dashboardContents,
  donutChart,
  dropdownFilter,
  evolutionNumber,
  lineChart,
  pivotTable,
  regularTable,
} from '@inlay/contract/dashboard';
import { text } from '../../test/support/world.ts';
import { tenantName } from './rows.ts';

export interface Login {
  readonly key: string;
  readonly token: string;
}

/** A token that shows the rows of one tenant. */
export interface Viewer extends Login {
  readonly tenant: string;
}

export type Call = (resource: string, body: object) => Promise<Json>;

export const rowsIn = (answer: Json): readonly Json[] => {
  const rows = isObject(answer) ? answer['rows'] : undefined;
  return rows !== undefined && isList(rows) ? rows : [];
};

/** A dataset and the ids of its columns by name. */
export interface Dataset {
  readonly id: string;
  readonly columns: ReadonlyMap<string, string>;
}

export async function datasetOf(call: Call, id: string): Promise<Dataset> {
  const rows = rowsIn(await call('column', { find: { where: { securable_id: id } } }));
  return { id, columns: new Map(rows.map((row) => [text(row, 'source_name'), text(row, 'id')])) };
}

export const columnIn = ({ columns }: Dataset, name: string): string => columns.get(name) ?? name;

/** A dashboard with the tokens that may read it, each with the rows of one tenant. */
export interface Board {
  readonly dashboardId: string;
  readonly items: readonly string[];
  /** Returns a filter of a viewer, as the element sends it. */
  readonly filter: (region: string) => JsonObject;
  readonly viewers: readonly Viewer[];
  /** Sets how long results are cached, in seconds; 0 disables the cache. */
  readonly cache: (seconds: number) => Promise<void>;
}

/** Creates a dashboard of 12 items over a fact table. Row filters test the column `tenant` of the dataset `filtered`. */
export async function createBoard(call: Call, fact: Dataset, filtered: Dataset, viewerCount: number): Promise<Board> {
  const of = (name: string, options = {}) => column(fact.id, columnIn(fact, name), options);
  const at = (index: number) => ({
    position: { col: (index % 3) * 16, row: 8 + Math.floor(index / 3) * 16, sizeX: 16, sizeY: 16 },
  });
  const [month, revenue] = [of('at', { level: 3 }), of('revenue')];
  const sorted = { sort: { by: 'measure', order: 'desc' } } as const;
  const bins = of('revenue', { bins: { enabled: true, number: 10 } });
  const contents = dashboardContents([
    dropdownFilter({ id: 'regions', position: { col: 0, row: 0, sizeX: 16, sizeY: 8 }, dimension: of('region') }),
    evolutionNumber({ id: 'revenue', ...at(0), measure: revenue, evolution: month }),
    evolutionNumber({ id: 'units', ...at(1), measure: of('units'), evolution: month }),
    columnChart({ id: 'months', ...at(2), xAxis: month, measure: revenue }),
    columnChart({ id: 'stacked', ...at(3), xAxis: month, measure: revenue, legend: of('status') }),
    lineChart({ id: 'both', ...at(4), xAxis: month, measure: [revenue, of('cost')] }),
    barChart({ id: 'top', ...at(5), yAxis: of('product'), measure: revenue, options: { ...sorted, limit: 10 } }),
    columnChart({ id: 'bins', ...at(6), xAxis: bins, measure: of('units') }),
    donutChart({ id: 'status', ...at(7), category: of('status'), measure: of('units') }),
    pivotTable({ id: 'pivot', ...at(8), row: of('region'), column: of('status'), measure: revenue }),
    regularTable({ id: 'table', ...at(9), columns: [of('product'), { ...revenue, aggregationFunc: 'sum' }] }),
    lineChart({ id: 'weeks', ...at(10), xAxis: of('at', { level: 4 }), measure: of('units') }),
  ]);
  const dashboard = await call('dashboard', { properties: { name: { en: 'Visits' }, contents } });
  const dashboardId = text(dashboard, 'id');
  const viewers: Viewer[] = [];
  const tenantColumn = { dataset_id: filtered.id, column_id: columnIn(filtered, 'tenant') };
  for (let index = 0; index < viewerCount; index += 1) {
    const tenant = tenantName(index * 7);
    const token = await call('authorization', {
      properties: {
        type: 'embed',
        username: `viewer ${index}`,
        suborganization: tenant,
        role: 'viewer',
        filters: [{ expression: '? = ?', parameters: [tenantColumn, tenant] }],
        access: {
          dashboards: [{ id: dashboardId, rights: 'read' }],
          datasets: [...new Set([fact.id, filtered.id])].map((id) => ({ id, rights: 'read' })),
        },
      },
    });
    viewers.push({ key: text(token, 'id'), token: text(token, 'token'), tenant });
  }
  return {
    dashboardId,
    items: [
      'regions',
      'revenue',
      'units',
      'months',
      'stacked',
      'both',
      'top',
      'bins',
      'status',
      'pivot',
      'table',
      'weeks',
    ],
    filter: (region) => ({
      expression: '? = ?',
      parameters: [{ dataset_id: fact.id, column_id: columnIn(fact, 'region') }, region],
    }),
    viewers,
    cache: async (seconds) => void (await call('securable', { id: fact.id, properties: { cache: seconds } })),
  };
}
