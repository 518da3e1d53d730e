import type { Command, WriteResult } from './commands/command.ts';
import type { Turn } from './concurrency/turns.ts';
import type { Config } from './config/config.ts';
import type { Connector } from './connectors/connector.ts';
import { createConnectors, type Connectors } from './connectors/index.ts';
import { createPluginConnector } from './connectors/plugin/connector.ts';
import { readPluginTarget, readUser } from './connectors/plugin/load.ts';
import { createPlugins, type Plugins } from './connectors/plugin/plugin.ts';
import { providerOf } from './connectors/properties.ts';
import type { AccountResolver } from './data/sources.ts';
import type { OpenSecret } from './data/row-filters/load-terms.ts';
import type { Engine } from './engine/engine.ts';
import { createMemoryWatch, type MemoryWatch } from './engine/memory-watch.ts';
import type { ReportDamage } from './engine/versions/damage.ts';
import { openEngine } from './engine/open-engine.ts';
import type { Recorder } from './metrics/metrics.ts';
import type { Observations } from './observations/observations.ts';
import { createOutbound, type Outbound } from './outbound/index.ts';
import type { Store } from './store/store.ts';

/** Sources of rows: databases and files, plugins, and the columnar engine. */
export interface Sources extends Pick<AccountResolver, 'connectors' | 'pluginOf'> {
  readonly outbound: Outbound;
  readonly plugins: Plugins;
  readonly databases: Connectors;
  readonly engine: Engine;
  /** Watches the memory of child processes. */
  readonly watch: MemoryWatch;
  close(): Promise<void>;
}

/** Dependencies of sources. */
export interface SourcesContext {
  readonly open: OpenSecret;
  readonly turn: Turn;
  /** Called when background work fails. */
  readonly failed: (what: string, reason: unknown) => void;
  /** Called for damaged row files. */
  readonly damaged: ReportDamage;
  readonly recorder: Recorder;
  readonly observations: Observations;
}

/** Opens every kind of source. Connects with the first query; `override` replaces the configured engine. */
export function openSources(
  config: Config,
  store: Store<Command, WriteResult>,
  { open, turn, failed, damaged, recorder, observations }: SourcesContext,
  override?: Engine,
): Sources {
  const outbound = createOutbound({
    policy: { allowPrivateHosts: config.allowPrivateHosts, allowHosts: config.allowHosts },
    refused: (place) => observations.note('host', place),
  });
  const plugins = createPlugins(outbound, () => performance.now());
  const watch = createMemoryWatch();
  const engine =
    override ??
    openEngine({
      watch,
      damaged,
      retired: (reason, why) => {
        recorder.count('inlay_engine_children_retired_total', { reason });
        failed('a child process of the engine was replaced', why);
      },
      dataDir: config.dataDir,
      memoryMb: config.engineMemoryMb,
      children: config.engineChildren,
      threads: config.engineThreads,
      writers: config.engineWriters,
      spillMb: config.engineSpillMb,
      deadlineMs: config.queryTimeoutS * 1000,
    });
  const databases = createConnectors({
    outbound,
    size: config.sourceConnections,
    filesDir: config.filesDir,
    describe: (what, signal) => engine.describe(what, signal),
  });
  const byProvider: Readonly<Record<string, Connector>> = {
    postgresql: databases.postgresql,
    mysql: databases.mysql,
    duckdb: databases.duckdb,
    plugin: createPluginConnector(plugins, () => performance.now(), turn),
  };
  return {
    outbound,
    plugins,
    databases,
    engine,
    watch,
    connectors: (provider) => {
      const name = providerOf(provider) ?? provider;
      return Object.hasOwn(byProvider, name) ? byProvider[name] : undefined;
    },
    pluginOf: async (pluginId, userId, person) => {
      const target = await readPluginTarget(store, open, pluginId);
      return target === null ? undefined : { target, user: person ?? (await readUser(store, userId)) };
    },
    close: async () => {
      databases.close();
      await engine.close();
      await outbound.close();
    },
  };
}
