import { describe } from 'vitest';
import { embeddedStore, serverStore, type LoadStore } from './load-store.ts';
import { firstOwner, openClient, type Client } from './load.ts';
import { startPostgres } from './postgres.ts';
import { storesToTest, type Credential } from './service.ts';
import { startService, type ServiceProcess } from './process.ts';

/** Two service processes on one store. */
export interface Pair {
  readonly store: LoadStore;
  readonly owner: Credential;
  readonly services: readonly [ServiceProcess, ServiceProcess];
  /** Returns a client of each process, for the first owner unless another credential is given; closed with the pair. */
  clients(credential?: Credential): readonly [Client, Client];
  stop(): Promise<void>;
}

/** Starts two processes on the store. Raises an Error when one does not end with 0 at the stop. */
export async function startPair(store: LoadStore, more: Readonly<Record<string, string>> = {}): Promise<Pair> {
  const { credential: owner, settings } = firstOwner();
  const env = { ...store.settings, ...settings, ...more };
  const services = await Promise.all([startService({ env }), startService({ env })]);
  const opened: Client[] = [];
  return {
    store,
    owner,
    services: [services[0], services[1]],
    clients: (credential = owner) => {
      const made = [openClient(services[0].url, credential), openClient(services[1].url, credential)] as const;
      opened.push(...made);
      return made;
    },
    stop: async () => {
      for (const client of opened) client.close();
      const codes = await Promise.all(services.map((service) => service.stop()));
      await store.remove();
      if (codes.some((code) => code !== 0))
        throw new Error(`ended with ${codes.join(' and ')}: ${services.map((each) => each.output()).join('\n')}`);
    },
  };
}

/** Describes the same for each store of this run. */
export function describeStores(body: (newStore: () => Promise<LoadStore>) => void): void {
  describe.each(storesToTest)('on %s', (name) => {
    const cluster: { started?: ReturnType<typeof startPostgres> } = {};
    body(async () => {
      if (name === 'sqlite') return embeddedStore();
      cluster.started ??= startPostgres();
      return serverStore(await cluster.started);
    });
  });
}
