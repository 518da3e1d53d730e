import { createClient, type Client } from '@inlay/client';
import { Failure } from '@inlay/client/transport';
import { inLanguage, isUuid, listOr, objectOr, textOr, type Json } from '@inlay/contract';
import { columnsOfFormula, type FormulaColumnType } from '@inlay/query';
import type { Catalogue, CatalogueColumn } from '../data/catalogue.ts';
import type { EditSession } from '../edit/edit-session.ts';
import { ColumnNames } from './text/column-names.ts';
import type { SuggestedColumn } from './text/completion.ts';
import { formulasOf, usedDatasets } from './uses.ts';

/** A formula that is saved with a dataset. */
export interface SavedFormula {
  readonly id: string;
  readonly datasetId: string;
  /** Its name by language. */
  readonly name: Json;
  readonly expression: string;
}

/** What formulas of a dashboard are about: columns, saved formulas, and what the person may do. */
export interface FormulaFacts {
  readonly columns: readonly CatalogueColumn[];
  readonly names: ColumnNames;
  readonly suggested: readonly SuggestedColumn[];
  readonly saved: readonly SavedFormula[];
  readonly mayWrite: boolean;
  /** Time zone of the person; empty if theirs is that of the dashboard. */
  readonly timeZone: string;
}

/** Maximum number of datasets whose columns are offered. */
const maxDatasets = 20;

const known: Readonly<Record<string, FormulaColumnType>> = { numeric: 'numeric', datetime: 'datetime' };

/**
 * Returns the type of a column in formulas. Columns of true and false are of the type `hierarchy`, so that of such columns
 * only the service knows it.
 */
export function formulaType({ columns }: FormulaFacts, columnId: string): FormulaColumnType | 'unknown' | undefined {
  const column = columns.find(({ id }) => id === columnId.toLowerCase());
  return column === undefined ? undefined : (known[column.type] ?? 'unknown');
}

/** Returns the saved formulas of datasets; none where the person may not see such records. Raises Failure. */
async function savedFormulas(client: Client, datasetIds: readonly string[]): Promise<readonly SavedFormula[]> {
  const find = { where: { securable_id: { in: datasetIds } }, attributes: ['name', 'expression', 'securable_id'] };
  const rows = await client.search('formula', find).catch((error: unknown) => {
    if (error instanceof Failure && error.status === 403) return [];
    throw error;
  });
  return rows.map(({ id, name = null, expression, securable_id: datasetId = null }) => ({
    id,
    datasetId: textOr(datasetId, ''),
    name: objectOr(name),
    expression: expression ?? '',
  }));
}

/** Loads what the formulas of an item and its dashboard are about. Raises Failure. */
export async function loadFacts(
  session: EditSession,
  catalogue: Catalogue,
  itemId: string,
  locale: string,
): Promise<FormulaFacts> {
  const { transport, model } = session;
  const client = createClient(transport);
  const [datasets, appearance] = await Promise.all([
    catalogue.datasets(locale),
    transport.call('appearance', { action: 'get', find: { dashboard_id: session.id } }),
  ]);
  const used = usedDatasets(model, itemId);
  const ids = (used.length > 0 ? used : datasets.map(({ id }) => id)).slice(0, maxDatasets);
  // Of a dataset that the person cannot see, nothing is offered.
  const columnsOf = async (datasetIds: readonly string[]): Promise<readonly CatalogueColumn[]> =>
    (await Promise.all(datasetIds.map((id) => catalogue.columns(id).catch(() => [])))).flat();
  const own = await columnsOf(ids);
  const saved = await savedFormulas(client, ids);
  const texts = [
    ...formulasOf(model).flatMap(({ formula }) => formula ?? []),
    ...saved.map(({ expression }) => expression),
  ];
  const named = [...new Set(texts.flatMap(columnsOfFormula))];
  const others = named.filter((id) => isUuid(id) && !own.some((column) => column.id === id.toLowerCase()));
  const linked =
    others.length === 0
      ? []
      : await client.search('column', { where: { id: { in: others } }, attributes: ['securable_id'] });
  const linkedIds = [...new Set(linked.flatMap(({ securable_id: id }) => id ?? []))].filter((id) => !ids.includes(id));
  const columns = [...own, ...(await columnsOf(linkedIds))];
  const datasetName = ({ datasetId }: CatalogueColumn): string =>
    inLanguage(datasets.find(({ id }) => id === datasetId)?.name, locale);
  const names = new ColumnNames(
    columns.map((column) => ({
      id: column.id,
      name: inLanguage(column.name, locale),
      datasetName: datasetName(column),
    })),
  );
  const { features = null, timezone_id: timeZone = null } = objectOr(appearance);
  return {
    columns,
    names,
    suggested: columns.map((column) => ({ name: names.nameOf(column.id) ?? '', datasetName: datasetName(column) })),
    saved,
    mayWrite: listOr(features).includes('formulas'),
    timeZone: textOr(timeZone, ''),
  };
}
