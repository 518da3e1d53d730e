import type { ClusterSchema } from './connect.ts';

/** A publication by its ids. */
export interface PublicationKey {
  readonly id: string;
  readonly organizationId: string;
  /** Id of the dataset or the acceleration whose rows it has. */
  readonly folder: string;
}

const plainId = (id: string): string => id.replaceAll('-', '');

/** Names the tables of this store at the cluster. Several stores may share a schema. */
export class TableNames {
  readonly #path: readonly string[];
  readonly #prefix: string;

  /** `store` is the name of this store. */
  constructor({ catalog, schema }: Pick<ClusterSchema, 'catalog' | 'schema'>, store: string) {
    this.#path = [catalog, schema];
    this.#prefix = `inlay_${store}_`;
  }

  /** Returns catalog, schema and name of the table of a publication. */
  placeOf({ id }: Pick<PublicationKey, 'id'>): readonly string[] {
    return [...this.#path, `${this.#prefix}${plainId(id)}`];
  }

  /** Returns the id of the publication that a table has; null for a table of somebody else. */
  idOf(table: string): string | null {
    const [, first, ...more] =
      /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/u.exec(
        table.startsWith(this.#prefix) ? table.slice(this.#prefix.length) : '',
      ) ?? [];
    return first === undefined ? null : [first, ...more].join('-');
  }
}
