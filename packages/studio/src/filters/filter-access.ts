import { Failure } from '@inlay/client/transport';
import {
  expressionOf,
  filledText,
  isObject,
  listIn,
  listOr,
  member,
  objectOr,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { Catalogue, CatalogueColumn } from '../data/catalogue.ts';

/** What the service lets the person who edits filter by, and what it filters for them. Each is requested once. */
export class FilterAccess {
  readonly #catalogue: Catalogue;
  readonly #uses = new Map<string, Promise<boolean>>();
  #ownFilters: Promise<readonly JsonObject[]> | null = null;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** True if the person may query a dataset freely, as the right _use_ allows. Raises Failure. */
  async mayUse(datasetId: string): Promise<boolean> {
    const asking = this.#uses.get(datasetId) ?? this.#askUse(datasetId);
    this.#uses.set(datasetId, asking);
    try {
      return await asking;
    } catch (error) {
      this.#uses.delete(datasetId);
      throw error;
    }
  }

  /**
   * Returns the first `count` members of a column that pass a condition, as cells of an answer, those that the person may
   * see. Raises Failure. Throws the signal's reason if it aborts.
   */
  async members(
    { id, datasetId }: Pick<CatalogueColumn, 'id' | 'datasetId'>,
    condition: JsonObject | null,
    count: number,
    signal: AbortSignal,
  ): Promise<readonly Json[]> {
    const dimension: JsonObject = { dataset_id: datasetId, column_id: id };
    const find: JsonObject = {
      dimensions: [dimension],
      where: condition === null ? [] : [condition],
      order: [{ ...dimension, order: 'asc' }],
      limit: { by: count },
    };
    const answer = await this.#catalogue.transport.call('data', { action: 'get', find }, signal);
    return listIn(objectOr(answer), 'data').map((row) => listOr(row)[0] ?? null);
  }

  /**
   * Returns the filters that the embed token of the person sets, with the values of its parameters; none for other
   * credentials. The service tells only what the token itself has. Raises Failure.
   */
  async ownFilters(): Promise<readonly JsonObject[]> {
    this.#ownFilters ??= this.#askOwnFilters();
    try {
      return await this.#ownFilters;
    } catch (error) {
      this.#ownFilters = null;
      throw error;
    }
  }

  async #askOwnFilters(): Promise<readonly JsonObject[]> {
    const id = this.#catalogue.credentialId();
    if (id === '') return [];
    const answer = objectOr(await this.#catalogue.transport.call('authorization', { action: 'get', id }));
    const [overrides, metadata] = [objectOr(answer['parameter_overrides']), objectOr(answer['metadata'])];
    const valueOf = (name: string): Json | undefined => {
      const own = name.replace(/^metadata\./u, '');
      const override = [`metadata.${own}`, own].map((one) => member(overrides, one)).find((one) => one !== undefined);
      if (override === undefined || objectOr(override)['clear'] === true) return member(metadata, own);
      return isObject(override) ? member(override, 'value') : override;
    };
    return listOr(answer['filters'])
      .map(objectOr)
      .map((filter) => {
        const parameter = filledText(objectOr(filter['value'])['parameter']);
        // Sensitive values are told as null.
        const value = parameter === null ? null : (valueOf(parameter) ?? null);
        return value === null ? filter : { ...filter, value };
      });
  }

  /** Asks for nothing: a query without rows that the service refuses to those who may only read. */
  async #askUse(datasetId: string): Promise<boolean> {
    const [column] = await this.#catalogue.columns(datasetId);
    if (column === undefined) return false;
    const measure: JsonObject = { dataset_id: datasetId, column_id: '*', aggregation: { type: 'count' } };
    const where: JsonObject[] = [
      { expression: expressionOf('in'), parameters: [{ dataset_id: datasetId, column_id: column.id }, []] },
    ];
    try {
      await this.#catalogue.transport.call('data', { action: 'get', find: { measures: [measure], where } });
      return true;
    } catch (error) {
      if (error instanceof Failure && [403, 404].includes(error.status)) return false;
      throw error;
    }
  }
}
