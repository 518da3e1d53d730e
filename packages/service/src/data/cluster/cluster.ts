import { trino, type Dialect, type Relation } from '@inlay/query';
import type { ConnectionParams, SqlConnector } from '../../connectors/connector.ts';
import type { Publication } from '../model/parts.ts';
import type { ResolvedAccount } from '../resolve-account.ts';

/** The cluster that answers queries over published rows, as the settings of the operator name it. */
export interface Cluster {
  readonly connector: SqlConnector;
  readonly params: ConnectionParams;
}

/**
 * The dialect of published rows: their times are in UTC without a zone, and JSON is text. Columns of any name can be
 * read, since tables name them by position.
 */
export const publishedDialect: Dialect = {
  ...trino,
  column: (of, type) => {
    if (type === 'json') return of;
    return trino.column(of, type === 'timestamptz' ? 'timestamp' : type);
  },
  reservedNames: new Set(),
};

/** Returns the relation with the rows of a publication, whose columns have the names of the version. */
export function publishedRelation({ place, columns }: Publication): Relation {
  const quote = (name: string): string => publishedDialect.quote(name);
  const named = columns.map((name, position) => `c${position} AS ${quote(name)}`);
  return { kind: 'query', sql: `SELECT ${named.join(', ')} FROM ${place.map(quote).join('.')}` };
}

/** Returns the connection to the cluster for the queries of an organization, so that tenants do not share sessions. */
export function clusterAccount({ params }: Pick<Cluster, 'params'>, organizationId: string): ResolvedAccount {
  const account = {
    id: params.accountId,
    organizationId,
    revision: 0,
    record: { provider: 'trino' },
    sealed: {},
  };
  return { account, params: { ...params, organizationId }, overriddenBy: 'INLAY_CLUSTER' };
}
