import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isObject } from '@inlay/contract';
import { migrations } from '../../packages/service/src/store/migrations/index.ts';
import { counted } from '../support/counts.ts';
import { describeStores } from '../support/load-pair.ts';
import type { LoadStore } from '../support/load-store.ts';
import { firstOwner, openClient, textIn, type Client } from '../support/load.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { proxies, startProxy } from '../support/proxy.ts';
import type { Credential } from '../support/service.ts';

// Each count is shared between two stores and two proxies.
const rounds = counted(1, 50);
const clients = 16;
const pauseMs = 40;

/** Closed-loop clients that read and write until stopped, over persistent and new connections. */
class Traffic {
  readonly #url: string;
  readonly #owner: Credential;
  readonly acknowledged: string[] = [];
  readonly failures: string[] = [];
  answered = 0;
  #isOver = false;

  constructor(url: string, owner: Credential) {
    this.#url = url;
    this.#owner = owner;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: clients }, (_, index) => this.#client(index % 2 === 0)));
  }

  stop(): void {
    this.#isOver = true;
  }

  async #client(keepAlive: boolean): Promise<void> {
    const client = openClient(this.#url, this.#owner, { keepAlive, timeoutMs: 60_000 });
    while (!this.#isOver) {
      await this.#send(client);
      await sleep(pauseMs);
    }
    client.close();
  }

  async #send(client: Client): Promise<void> {
    const last = this.acknowledged.at(-1);
    const isWrite = last === undefined || this.answered % 3 === 0;
    const create = { action: 'create', properties: { name: { en: 'A tag' } } };
    try {
      const { status, body } = await client.call('tag', isWrite ? create : { action: 'get', id: last });
      if (status !== 200) this.failures.push(`${status} ${JSON.stringify(body)}`);
      else if (isWrite) this.acknowledged.push(textIn(body, 'id'));
      this.answered += 1;
    } catch (error) {
      this.failures.push(String(error));
    }
  }
}

async function idsOf(store: LoadStore): Promise<ReadonlySet<string>> {
  return new Set((await store.rows('select id from tag')).map(({ id }) => String(id)));
}

describeStores((newStore) => {
  describe.each(Object.entries(proxies))(
    'behind %s as the guide configures it',
    (name, { missing, looksAtReadiness }) => {
      const reason = missing();
      if (reason !== undefined) process.stdout.write(`rolling restarts behind ${name} are not tested: ${reason}\n`);

      it.skipIf(reason !== undefined)(
        'two instances are restarted in turn under traffic: no request fails, and no acknowledged write is lost',
        async () => {
          const store = await newStore();
          const { credential, settings } = firstOwner();
          const own = { INLAY_READY_GRACE_MS: looksAtReadiness ? '3000' : '200', INLAY_TRUST_PROXY: '127.0.0.1' };
          const env = { ...store.settings, ...settings, ...own };
          const services: ServiceProcess[] = [await startService({ env }), await startService({ env })];
          const proxy = await startProxy(name, [services[0]?.port ?? 0, services[1]?.port ?? 0]);
          const traffic = new Traffic(proxy.url, credential);
          const running = traffic.run();
          await sleep(500);
          for (let round = 0; round < rounds; round += 1)
            for (const [at, service] of services.entries()) {
              const [row] = at === 0 ? [] : await store.rows('select max(id) as last from schema_migration');
              // As a newer program does whose migration only adds, while both run.
              if (isObject(row) && row['last'] === migrations.length)
                await store.rows(
                  `insert into schema_migration (id, name, applied_at)
                  values (${migrations.length + 1}, 'of a newer program', '2026-01-01T00:00:00.000Z')`,
                );
              expect(await service.stop()).toBe(0);
              services[at] = await startService({ env, port: service.port });
              // Until its health check has noticed.
              if (looksAtReadiness) await sleep(5_000);
            }
          await sleep(500);
          traffic.stop();
          await running;
          process.stdout.write(
            `${name}, ${store.name}: ${2 * rounds} restarts, ${traffic.answered} answered, ${traffic.failures.length} failed, ${traffic.acknowledged.length} writes acknowledged\n`,
          );
          expect(traffic.failures.slice(0, 10)).toEqual([]);
          expect(traffic.acknowledged.length).toBeGreaterThan(0);
          const stored = await idsOf(store);
          expect(traffic.acknowledged.filter((id) => !stored.has(id))).toEqual([]);
          await Promise.all(services.map((service) => service.stop()));
          await proxy.stop();
          await store.remove();
        },
        counted(120_000, 3_600_000),
      );
    },
  );
});
