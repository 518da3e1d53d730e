import { afterAll, afterEach, beforeAll } from 'vitest';
import type { PluginRequest, ConnectionParams, RunLimits } from '../../packages/service/src/connectors/connector.ts';
import { createPluginConnector } from '../../packages/service/src/connectors/plugin/connector.ts';
import { createPlugins } from '../../packages/service/src/connectors/plugin/plugin.ts';
import { SourceProblem } from '../../packages/service/src/connectors/problem.ts';
import { Bulkhead } from '../../packages/service/src/connectors/session/bulkhead.ts';
import { createOutbound } from '../../packages/service/src/outbound/index.ts';
import { createTurns } from '../../packages/service/src/concurrency/turns.ts';
import { startPlugin, type TestPlugin } from '../support/plugin.ts';

export const signal = new AbortController().signal;
export const limits: RunLimits = { rowLimit: 10_000, byteLimit: 1_000_000, deadlineMs: 1000 };
export const missions: PluginRequest = { table: 'missions', filters: [], groups: null };

const realClock = (): number => performance.now();

/** What a source refused; cause `none` where it did not. */
export async function problemOf(work: Promise<unknown>): Promise<{ readonly cause: string; readonly message: string }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SourceProblem) return { cause: error.cause, message: error.message };
    throw error;
  }
  return { cause: 'none', message: '' };
}

/** Two plugins for the tests of a file, one of which aggregates, and what reaches them. */
export function useApollo() {
  const outbound = createOutbound({ policy: { allowPrivateHosts: true, allowHosts: [] } });
  const fresh = (clock = realClock) =>
    createPluginConnector(createPlugins(outbound, new Bulkhead(500, clock), clock), clock, createTurns());
  const held: { basic?: TestPlugin; pushing?: TestPlugin } = {};
  const running = (name: keyof typeof held): TestPlugin => {
    const plugin = held[name];
    if (plugin === undefined) throw new Error('the plugin is not started');
    return plugin;
  };
  beforeAll(async () => {
    held.basic = await startPlugin({ token: 'good' });
    held.pushing = await startPlugin({ pushdown: true, protocol: '2.0.0' });
  });
  afterAll(async () => {
    await Promise.all(Object.values(held).map((plugin) => plugin.stop()));
    await outbound.close();
  });
  afterEach(() => {
    for (const plugin of Object.values(held)) plugin.clear();
  });

  const reachOf = (at: keyof typeof held, more: Partial<ConnectionParams> = {}): ConnectionParams => ({
    accountId: 'account',
    organizationId: 'organization',
    host: null,
    port: null,
    scope: null,
    identifier: null,
    token: 'good',
    properties: { region: 'eu' },
    plugin: {
      target: {
        name: 'apollo',
        baseUrl: running(at).url,
        protocolVersion: at === 'pushing' ? '2.0.0' : '1.4.0',
        pushdown: at === 'pushing',
        secret: 'of the plugin',
      },
      user: { id: null, name: null, email: null },
    },
    ...more,
  });

  async function rowsOf(
    params: ConnectionParams,
    request: PluginRequest = missions,
    within: Partial<RunLimits> = {},
    connector = fresh(),
  ): Promise<unknown[]> {
    const rows: unknown[] = [];
    for await (const batch of (await connector.fetch(params, request, { ...limits, ...within }, signal)).rows)
      rows.push(...batch);
    return rows;
  }
  return { fresh, running, reachOf, rowsOf };
}
