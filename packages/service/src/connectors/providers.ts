import { clickhouse } from './clickhouse/provider.ts';
import { files } from './files/provider.ts';
import { mysql } from './mysql/provider.ts';
import { postgresql } from './postgresql/provider.ts';
import type { Provider } from './provider.ts';
import { trino } from './trino/provider.ts';

/** Every built-in provider. */
export const providers: readonly Provider[] = [postgresql, mysql, clickhouse, trino, files];

/** Name of the provider in the examples of the documentation. */
export const exampleProvider = postgresql.name;

const byName: ReadonlyMap<string, Provider> = new Map(
  providers.flatMap((provider) => [provider.name, ...provider.aliases].map((name) => [name, provider] as const)),
);

/** Returns the built-in provider of a name or alias; undefined for other names, including those of plugins. */
export const providerOf = (name: string | null): Provider | undefined => byName.get((name ?? '').toLowerCase());
