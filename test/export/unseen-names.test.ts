import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sheetRows } from '../../packages/service/src/workbook/read-sheet.ts';
import { roomy } from '../support/workbooks.ts';
import { contentsOf, item, salesRows, slot } from '../browser/sales.ts';
import { startEmbedWorld, textOf, type Credential, type EmbedWorld } from '../browser/world.ts';
import { textsOfPdf } from './pdf-texts.ts';
import { datasetIn } from '../support/world.ts';

/** Columns and formulas that the viewer may not see: hidden from the token, of a dataset not granted, of somebody else. */
const secrets = ['Hiddencolumn', 'Ungrantedcolumn', 'Ungrantedformula', 'Foreigncolumn', 'Foreignformula'] as const;
type Secret = (typeof secrets)[number];

/** A dataset of which a number and a formula over it have names that begin alike. */
interface Named {
  readonly dataset: string;
  readonly region: string;
  readonly column: string;
  readonly formula: string;
}

describe('names that a viewer may not see', () => {
  let world: EmbedWorld;
  let viewer: Credential;
  let dashboard: string;
  let named: Readonly<Record<Secret, JsonObject>>;
  let shown: Named;
  const folder = mkdtempSync(join(tmpdir(), 'inlay-names-'));

  /** Returns names to columns of a dataset, which is made where none is given. */
  const name = async (begin: string, by: Credential, given?: string): Promise<Named> => {
    const properties = { type: 'create', data: salesRows, options: { header: true, name: { en: 'Sales' } } };
    const id = given ?? datasetIn(await world.ok('data', { properties }, by)).id;
    const { columns } = await world.datasetOf(id, by);
    const called = { name: { en: `${begin}column` } };
    await world.ok('column', { action: 'update', id: columns.revenue, properties: called }, by);
    const expression = `sum({${columns.quantity}})`;
    const made = { securable_id: id, name: { en: `${begin}formula` }, expression };
    const formula = await world.ok('formula', { properties: made }, by);
    return { dataset: id, region: columns.region, column: columns.revenue, formula: textOf(formula['id']) };
  };

  const file = async (properties: JsonObject, by = viewer): Promise<string> => {
    const answer = await fetch(`${world.service.url}/0.1.0/export`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${by.key}:${by.token}`,
        connection: 'close',
      },
      body: JSON.stringify({ properties }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const type = answer.status === 200 ? properties['type'] : null;
    if (type === 'pdf') return textsOfPdf(bytes);
    if (type !== 'xlsx') return bytes.toString('utf8');
    const path = join(folder, 'rows.xlsx');
    writeFileSync(path, bytes);
    const rows: string[] = [];
    for await (const row of sheetRows(path, null, roomy)) rows.push(JSON.stringify(row));
    return rows.join('\n');
  };
  const leaks = (texts: string): readonly string[] => secrets.filter((one) => texts.includes(one));

  beforeAll(async () => {
    world = await startEmbedWorld({ INLAY_DEMO: 'false', INLAY_SIGNUP: 'true' });
    const signUp = await fetch(`${world.service.url}/0.1.0/user`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ properties: { email: 'else@others.example', name: 'Else' } }),
    });
    const said: Json = JSON.parse(await signUp.text());
    const stranger = isObject(said) ? { key: textOf(said['key']), token: textOf(said['token']) } : world.owner;
    const foreign = await name('Foreign', stranger);
    const ungranted = await name('Ungranted', world.owner);
    const own = await name('Hidden', world.owner, world.dataset.id);
    shown = own;
    await world.ok('formula', { action: 'update', id: own.formula, properties: { name: { en: 'Shownformula' } } });
    const content = ({ dataset, column, formula }: Named, of: 'column' | 'formula'): JsonObject => ({
      datasetId: dataset,
      type: 'numeric',
      ...(of === 'column' ? { columnId: column } : { formulaId: formula }),
    });
    named = {
      Hiddencolumn: content(own, 'column'),
      Ungrantedcolumn: content(ungranted, 'column'),
      Ungrantedformula: content(ungranted, 'formula'),
      Foreigncolumn: content(foreign, 'column'),
      Foreignformula: content(foreign, 'formula'),
    };
    const regions: Readonly<Record<string, string>> = {
      [own.dataset]: own.region,
      [ungranted.dataset]: ungranted.region,
      [foreign.dataset]: foreign.region,
    };
    const items = secrets.flatMap((which, index) => {
      const alone = named[which];
      // The formula is what is asked for, and may be: the column next to it is in no query.
      const beside: JsonObject = {
        ...content(own, 'formula'),
        columnId: alone['columnId'] ?? alone['formulaId'] ?? '',
      };
      return [alone, beside].flatMap((measure, half) => {
        const dataset = textOf(measure['datasetId']);
        const region = {
          datasetId: dataset,
          columnId: regions[dataset] ?? '',
          type: 'hierarchy',
          label: { en: 'Where' },
        };
        const at = (column: number): readonly [number, number, number, number] => [
          column,
          (index * 2 + half) * 12,
          16,
          12,
        ];
        const id = `${index}.${half}`;
        return [
          item(`chart ${id}`, 'column-chart', [slot('x-axis', region), slot('measure', measure)], at(0)),
          item(`table ${id}`, 'regular-table', [slot('columns', region, measure)], at(16)),
          item(`pivot ${id}`, 'pivot-table', [slot('row', region), slot('measure', measure)], at(32)),
        ];
      });
    });
    dashboard = await world.dashboard(contentsOf(world.dataset, items));
    viewer = await world.token([dashboard], { hidden_columns: [own.column] });
  });
  afterAll(async () => {
    await world?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['svg', 'pdf'])('are in no %s of a dashboard', async (type) => {
    const texts = await file({ type, dashboard_id: dashboard });
    expect(texts).toContain('Where');
    expect(leaks(texts)).toEqual([]);
  });

  it.each(['csv', 'xlsx', 'svg', 'pdf'])('are in no %s of an item', async (type) => {
    for (const [index, secret] of secrets.entries())
      for (const item_id of [0, 1].flatMap((half) => ['chart', 'table', 'pivot'].map((of) => `${of} ${index}.${half}`)))
        expect(leaks(await file({ type, dashboard_id: dashboard, item_id })), `${secret}, ${item_id}`).toEqual([]);
  });

  it('are in no file of the rows of a query', async () => {
    const region = { dataset_id: shown.dataset, column_id: shown.region };
    for (const { columnId = '', formulaId = '' } of Object.values(named))
      for (const type of ['csv', 'tsv', 'ndjson']) {
        const column_id = textOf(columnId) || textOf(formulaId);
        const secret = { dataset_id: shown.dataset, column_id };
        const beside: JsonObject = { dataset_id: shown.dataset, formula_id: shown.formula, column_id };
        expect(leaks(await file({ type, query: { dimensions: [secret], measures: [] } }))).toEqual([]);
        expect(leaks(await file({ type, query: { dimensions: [region], measures: [beside] } }))).toEqual([]);
      }
  });

  it('are there for somebody of the organization, but for those of another', async () => {
    const texts = await file({ type: 'svg', dashboard_id: dashboard }, world.owner);
    expect(leaks(texts)).toEqual(['Hiddencolumn', 'Ungrantedcolumn', 'Ungrantedformula']);
  });
});
