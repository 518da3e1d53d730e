import { filledText } from '@inlay/contract';
import type { Rollup } from '@inlay/query';
import type { Caller } from '../access/caller.ts';
import type {
  Connector,
  FilesConnector,
  PluginConnector,
  ConnectionParams,
  SqlConnector,
} from '../connectors/connector.ts';
import { Problem } from '../problems/problem.ts';
import type { OpenSecret } from './row-filters/load-terms.ts';
import type { LoadedDataset, Publication, TokenTerms } from './model/parts.ts';
import { overrideFor, resolveAccount, type ResolvedAccount } from './resolve-account.ts';

interface At<Kind, Of> {
  readonly kind: Kind;
  readonly resolved: ResolvedAccount;
  readonly connector: Of;
  readonly of: SourceSelection;
}

/** Where a caller's rows of a dataset are. */
export type RowSource =
  | {
      readonly kind: 'version';
      /** Id under which the engine keeps the versions: that of the dataset, or of its acceleration. */
      readonly folder: string;
      readonly version: string;
      /** Where the cluster has the same rows; null if it does not have them. */
      readonly publication: Publication | null;
      /** Rollups of the version, if it is the copy of a source. */
      readonly rollups?: readonly Rollup[];
    }
  | At<'sql', SqlConnector>
  | At<'files', FilesConnector>
  | At<'plugin', PluginConnector>;

/** What a dataset reads at its source: a table by its id, or the text of a `source_query`. */
export type SourceSelection = { readonly table: string } | { readonly query: string };

/** Dependencies for resolving accounts. */
export interface AccountResolver {
  /**
   * Returns the connector of a provider; undefined if the provider is not supported. `plugin` is the provider of all
   * plugins.
   */
  readonly connectors: (provider: string) => Connector | undefined;
  readonly open: OpenSecret;
  readonly now: () => number;
  /** Loads a plugin, and the user to report to it. `person` is the person of an embed token. */
  readonly pluginOf: (
    pluginId: string,
    userId: string | null,
    person: TokenTerms['person'],
  ) => Promise<ConnectionParams['plugin']>;
}

/** Returns what a dataset reads at its source; null if it reads nothing. */
export function askedOf({ record }: Pick<LoadedDataset, 'record'>): SourceSelection | null {
  const query = filledText(record['source_query']);
  if (query !== null) return { query };
  const table = filledText(record['source_dataset']);
  return table === null ? null : { table };
}

/**
 * Returns the connector of a resolved account, and loads its plugin. Raises Problem `provider_unknown`, `rows_missing`.
 */
export async function connectorOf(
  resolver: AccountResolver,
  resolvedAccount: ResolvedAccount,
  { userId }: Pick<Caller, 'userId'>,
  person: TokenTerms['person'],
): Promise<{ readonly resolved: ResolvedAccount; readonly connector: Connector }> {
  const { record } = resolvedAccount.account;
  const pluginId = filledText(record['plugin_id']);
  const connector = resolver.connectors(pluginId === null ? (filledText(record['provider']) ?? '') : 'plugin');
  if (connector === undefined || (pluginId === null) === (connector.kind === 'plugin'))
    throw new Problem('provider_unknown');
  if (pluginId === null) return { resolved: resolvedAccount, connector };
  const plugin = await resolver.pluginOf(pluginId, userId, person);
  if (plugin === undefined) throw new Problem('provider_unknown');
  return { resolved: { ...resolvedAccount, params: { ...resolvedAccount.params, plugin } }, connector };
}

/**
 * Finds out where a caller's rows of a dataset are. `usesCopy`: they are in the copy of the dataset, if there is one.
 * Raises Problem `rows_missing`, `provider_unknown`, `account_inactive`, `account_expired`.
 */
export async function rowSource(
  resolver: AccountResolver,
  dataset: LoadedDataset,
  caller: Caller,
  terms: TokenTerms,
  usesCopy: boolean,
): Promise<RowSource> {
  const { id, account, dataVersion, acceleration, publication } = dataset;
  const resolvedBase =
    account === null
      ? null
      : resolveAccount(account, overrideFor(terms, account.id), caller.authorizationId, resolver.open, resolver.now());
  if (dataVersion !== null) return { kind: 'version', folder: id, version: dataVersion, publication };
  if (usesCopy && acceleration !== null && acceleration.copy !== null) {
    const { version, rollups } = acceleration.copy;
    return { kind: 'version', folder: acceleration.id, version, publication, rollups };
  }
  const of = askedOf(dataset);
  if (resolvedBase === null || of === null) throw new Problem('rows_missing');
  const { connector, resolved: resolvedAccount } = await connectorOf(resolver, resolvedBase, caller, terms.person);
  switch (connector.kind) {
    case 'sql':
      return { kind: 'sql', resolved: resolvedAccount, connector, of };
    case 'files':
      return { kind: 'files', resolved: resolvedAccount, connector, of };
    case 'plugin':
      return { kind: 'plugin', resolved: resolvedAccount, connector, of };
  }
}
