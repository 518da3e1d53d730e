import type { Json } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { Connector, FilesConnector, PluginConnector, Reach, SqlConnector } from '../connectors/connector.ts';
import { Problem } from '../problems/problem.ts';
import type { OpenSecret } from './row-filters/load-terms.ts';
import type { LoadedDataset, TokenTerms } from './model/parts.ts';
import { overrideFor, reachOf, type Reached } from './reach.ts';

interface At<Kind, Of> {
  readonly kind: Kind;
  readonly reached: Reached;
  readonly connector: Of;
  readonly of: Asked;
}

/** Where the rows of a dataset are, for one caller. */
export type RowSource =
  | { readonly kind: 'version'; readonly version: string }
  | At<'sql', SqlConnector>
  | At<'files', FilesConnector>
  | At<'plugin', PluginConnector>;

/** What of a source is asked for: a table by its id, or the text of a `source_query`. */
export type Asked = { readonly table: string } | { readonly query: string };

/** What resolving accounts needs from outside. */
export interface Reaching {
  /** The connector of a provider, where this service has one; `plugin` is that of every plugin. */
  readonly connectors: (provider: string) => Connector | undefined;
  readonly open: OpenSecret;
  readonly now: () => number;
  /** The plugin of an account and whom it is told of; `person` is the one of an embed token. */
  readonly pluginOf: (
    pluginId: string,
    userId: string | null,
    person: TokenTerms['person'],
  ) => Promise<Reach['plugin']>;
}

const words = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** What a dataset asks of its source; null where it says nothing. */
export function askedOf({ record }: Pick<LoadedDataset, 'record'>): Asked | null {
  const query = words(record['source_query']);
  if (query !== null) return { query };
  const table = words(record['source_dataset']);
  return table === null ? null : { table };
}

/** An account as reached, and its connector. Raises Problem `provider_unknown`, `rows_missing`. */
export async function connectorOf(
  reaching: Reaching,
  reached: Reached,
  { userId }: Pick<Caller, 'userId'>,
  person: TokenTerms['person'],
): Promise<{ readonly reached: Reached; readonly connector: Connector }> {
  const { record } = reached.account;
  const pluginId = words(record['plugin_id']);
  const connector = reaching.connectors(pluginId === null ? (words(record['provider']) ?? '') : 'plugin');
  if (connector === undefined || (pluginId === null) === (connector.kind === 'plugin'))
    throw new Problem('provider_unknown');
  if (pluginId === null) return { reached, connector };
  const plugin = await reaching.pluginOf(pluginId, userId, person);
  if (plugin === undefined) throw new Problem('provider_unknown');
  return { reached: { ...reached, reach: { ...reached.reach, plugin } }, connector };
}

/**
 * Where the rows of a dataset are and how this caller reaches them. Raises Problem `rows_missing`, `provider_unknown`,
 * `account_inactive`, `account_expired`.
 */
export async function rowSource(
  reaching: Reaching,
  dataset: LoadedDataset,
  caller: Caller,
  terms: TokenTerms,
): Promise<RowSource> {
  const { account, dataVersion } = dataset;
  const reached =
    account === null
      ? null
      : reachOf(account, overrideFor(terms, account.id), caller.authorizationId, reaching.open, reaching.now());
  if (dataVersion !== null) return { kind: 'version', version: dataVersion };
  const of = askedOf(dataset);
  if (reached === null || of === null) throw new Problem('rows_missing');
  const { connector, reached: told } = await connectorOf(reaching, reached, caller, terms.person);
  switch (connector.kind) {
    case 'sql':
      return { kind: 'sql', reached: told, connector, of };
    case 'files':
      return { kind: 'files', reached: told, connector, of };
    case 'plugin':
      return { kind: 'plugin', reached: told, connector, of };
  }
}
