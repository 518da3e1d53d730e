import { basename, dirname } from 'node:path';
import type { Connector } from '../connectors/connector.ts';
import { createConnectors, type Connectors } from '../connectors/index.ts';
import { createPluginConnector } from '../connectors/plugin/connector.ts';
import { readPluginTarget, readUser } from '../connectors/plugin/load.ts';
import { createPlugins, type Plugins } from '../connectors/plugin/plugin.ts';
import { providerOf } from '../connectors/properties.ts';
import type { AccountResolver } from '../data/sources.ts';
import type { Engine } from '../engine/engine.ts';
import { createMemoryWatch, type MemoryWatch } from '../engine/memory-watch.ts';
import { openEngine } from '../engine/open-engine.ts';
import { createOutbound, type Outbound } from '../outbound/index.ts';
import type { Component } from './component.ts';
import type { Platform } from './open-platform.ts';

/** Sources of rows: databases and files, plugins, and the columnar engine. */
export interface Sources extends Component, Pick<AccountResolver, 'connectors' | 'pluginOf'> {
  readonly outbound: Outbound;
  readonly plugins: Plugins;
  readonly databases: Connectors;
  readonly engine: Engine;
  /** Watches the memory of child processes. */
  readonly watch: MemoryWatch;
}

const engineOf = ({ config, logger, metrics, failed }: Platform, watch: MemoryWatch): Engine =>
  openEngine({
    watch,
    damaged: (files) => {
      for (const file of files)
        logger.error(
          { dataset: basename(dirname(file)), file },
          'rows of a dataset are damaged; put a whole copy of the file back',
        );
    },
    retired: (reason, why) => {
      metrics.count('inlay_engine_children_retired_total', { reason });
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

/** Opens every kind of source. Connections are made by the first query. `override` replaces the configured engine. */
export function openSources(platform: Platform, override?: Engine): Sources {
  const { config, store, openSecret, clock, turn, observations } = platform;
  const outbound = createOutbound({
    policy: { allowPrivateHosts: config.allowPrivateHosts, allowHosts: config.allowHosts },
    refused: (place) => observations.note('host', place),
  });
  const plugins = createPlugins(outbound, clock);
  const watch = createMemoryWatch();
  const engine = override ?? engineOf(platform, watch);
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
    plugin: createPluginConnector(plugins, clock, turn),
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
      const target = await readPluginTarget(store, openSecret, pluginId);
      return target === null ? undefined : { target, user: person ?? (await readUser(store, userId)) };
    },
    gauges: {
      inlay_engine_running: () => engine.held().running,
      inlay_engine_waiting: () => engine.held().waiting,
      inlay_engine_children: () => engine.held().children,
      inlay_engine_children_slow: () => engine.held().slowChildren,
      inlay_source_connections_held: () => databases.held(),
      inlay_plugin_calls: () => plugins.held(),
    },
    close: async () => {
      databases.close();
      await engine.close();
      await outbound.close();
    },
  };
}
