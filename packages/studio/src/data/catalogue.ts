import { filledText, inLanguage, objectOr, textOr, type Json, type JsonObject } from '@inlay/contract';
import { createClient, type Client } from '@inlay/client';
import type { Transport } from '@inlay/client/transport';

/** A column that can stand in a slot. */
export interface CatalogueColumn {
  readonly id: string;
  readonly datasetId: string;
  /** Its name by language. */
  readonly name: Json;
  /** `numeric`, `datetime`, `hierarchy` or `spatial`. */
  readonly type: string;
}

export interface CatalogueDataset {
  readonly id: string;
  readonly name: Json;
}

const named = ({ id, name, source_name }: JsonObject): { readonly id: string; readonly name: Json } => ({
  id: textOr(id, ''),
  name: Object.keys(objectOr(name)).length > 0 ? objectOr(name) : (filledText(source_name) ?? null),
});

/** The datasets and columns that the person who edits can see. Each is requested once. */
export class Catalogue {
  readonly transport: Transport;
  /** Returns the key of the credential of the person; empty if it is not known. */
  readonly credentialId: () => string;
  readonly #client: Client;
  #datasets: Promise<readonly CatalogueDataset[]> | null = null;
  readonly #columns = new Map<string, Promise<readonly CatalogueColumn[]>>();
  readonly #loaded = new Map<string, CatalogueColumn>();
  readonly #known = new Map<string, CatalogueDataset>();

  /** `credentialId` returns the key of the credential with which the transport sends; empty if it is not known. */
  constructor(transport: Transport, credentialId: () => string = () => '') {
    this.#client = createClient(transport);
    this.transport = transport;
    this.credentialId = credentialId;
  }

  /** Returns the datasets, ordered by name in a language. Raises Failure. */
  async datasets(locale: string): Promise<readonly CatalogueDataset[]> {
    this.#datasets ??= this.#search('securable', { type: 'dataset' }, ['name']).then((rows) => rows.map(named));
    const datasets = await this.#datasets.catch((error: unknown) => {
      this.#datasets = null;
      throw error;
    });
    for (const dataset of datasets) this.#known.set(dataset.id, dataset);
    const order = new Intl.Collator(locale).compare;
    return datasets.toSorted((left, right) => order(inLanguage(left.name, locale), inLanguage(right.name, locale)));
  }

  /** Returns the columns of a dataset. Raises Failure. */
  async columns(datasetId: string): Promise<readonly CatalogueColumn[]> {
    const loading = this.#columns.get(datasetId) ?? this.#load(datasetId);
    this.#columns.set(datasetId, loading);
    try {
      return await loading;
    } catch (error) {
      this.#columns.delete(datasetId);
      throw error;
    }
  }

  /** Returns the name of a dataset that has been loaded; null if it has not, or cannot be seen. */
  knownDataset(datasetId: string, locale: string): string | null {
    const dataset = this.#known.get(datasetId);
    return dataset === undefined ? null : inLanguage(dataset.name, locale) || datasetId;
  }

  /** Returns a column that has been loaded; null if it has not, or cannot be seen. */
  known(columnId: string): CatalogueColumn | null {
    return this.#loaded.get(columnId) ?? null;
  }

  async #load(datasetId: string): Promise<readonly CatalogueColumn[]> {
    const rows = await this.#search('column', { securable_id: datasetId }, ['name', 'source_name', 'type']);
    const columns = rows.map((row) => ({ ...named(row), datasetId, type: textOr(row['type'], 'hierarchy') }));
    for (const column of columns) this.#loaded.set(column.id, column);
    return columns;
  }

  async #search(
    resource: 'securable' | 'column',
    where: JsonObject,
    attributes: readonly string[],
  ): Promise<readonly JsonObject[]> {
    const rows: JsonObject[] = [];
    for await (const row of this.#client.all(resource, { where, attributes })) {
      const record: JsonObject = JSON.parse(JSON.stringify(row));
      rows.push(record);
    }
    return rows;
  }
}
