import { startFaultProxy, type FaultProxy } from './fault-proxy.ts';
import { serverStore, type LoadStore } from './load-store.ts';
import { firstOwner, openClient, type Client } from './load.ts';
import type { Postgres } from './postgres.ts';
import { startService, type ServiceProcess } from './process.ts';

/** A running service whose way to PostgreSQL leads through a proxy that can misbehave. */
export interface Proxied {
  readonly service: ServiceProcess;
  readonly store: LoadStore;
  readonly proxy: FaultProxy;
  readonly client: Client;
  /** Sessions of the service on the server. */
  sessions(): Promise<number>;
  stop(): Promise<number>;
}

/** Connections the service may hold. */
export const poolSize = 6;

/**
 * Starts a service on a database of its own, as a user without special rights.
 *
 * @param storeTimeoutMs INLAY_STORE_TIMEOUT_MS; the client gives up on a request after `clientTimeoutMs`
 */
export async function startProxied(
  server: Postgres,
  storeTimeoutMs: number,
  clientTimeoutMs: number,
): Promise<Proxied> {
  const proxy = await startFaultProxy(server.port);
  const store = await serverStore(server, (url) => {
    const through = new URL(url);
    through.port = String(proxy.port);
    through.username = 'customer';
    return through.href;
  });
  const database = new URL(store.settings['INLAY_DATABASE_URL'] ?? '').pathname.slice(1);
  await store.rows(
    `do $$ begin if not exists (select from pg_roles where rolname = 'customer') then create role customer login; end if; end $$`,
  );
  await store.rows(`alter database ${database} owner to customer`);
  await store.rows('alter schema public owner to customer');
  const owner = firstOwner();
  const env = {
    ...store.settings,
    ...owner.settings,
    INLAY_STORE_TIMEOUT_MS: String(storeTimeoutMs),
    INLAY_POSTGRES_POOL: String(poolSize),
  };
  const service = await startService({ env });
  const client = openClient(service.url, owner.credential, { timeoutMs: clientTimeoutMs });
  return {
    service,
    store,
    proxy,
    client,
    sessions: async () => {
      const [row] = await store.rows(
        `select count(*)::int as n from pg_stat_activity where application_name = 'inlay service' and datname = '${database}'`,
      );
      return Number(row?.['n']);
    },
    stop: async () => {
      client.close();
      const code = await service.stop();
      await proxy.stop();
      await store.remove();
      return code;
    },
  };
}
