import { basename, dirname } from 'node:path';
import { connectCluster, type ClusterConnection } from '../cluster/connect.ts';
import { createConnectors, type Connectors } from '../connectors/index.ts';
import { createPluginConnector } from '../connectors/plugin/connector.ts';
import { readPluginTarget, readUser } from '../connectors/plugin/load.ts';
import { createPlugins, type Plugins } from '../connectors/plugin/plugin.ts';
import { Bulkhead, maxLeases } from '../connectors/session/bulkhead.ts';
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
  /** The cluster that answers queries over large stored datasets; null if there is none. */
  readonly cluster: ClusterConnection | null;
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
  const bulkhead = new Bulkhead(maxLeases, clock);
  const plugins = createPlugins(outbound, bulkhead, clock);
  const watch = createMemoryWatch();
  const engine = override ?? engineOf(platform, watch);
  const databases = createConnectors({
    outbound,
    bulkhead,
    size: config.sourceConnections,
    filesDir: config.filesDir,
    describe: (what, signal) => engine.describe(what, signal),
  });
  const cluster =
    config.cluster === undefined ? null : connectCluster(config.cluster, config.clusterPassword, bulkhead);
  const pluginConnector = createPluginConnector(plugins, clock, turn);
  return {
    outbound,
    plugins,
    databases,
    engine,
    cluster,
    watch,
    connectors: (provider) => (provider === 'plugin' ? pluginConnector : databases.of(provider)),
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
      bulkhead.close();
      databases.close();
      await engine.close();
      await outbound.close();
      await cluster?.close();
    },
  };
}
