import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectionParams, SqlConnector } from '../../packages/service/src/connectors/connector.ts';
import { createConnectors } from '../../packages/service/src/connectors/index.ts';
import { createPluginConnector } from '../../packages/service/src/connectors/plugin/connector.ts';
import { createPlugins } from '../../packages/service/src/connectors/plugin/plugin.ts';
import { providers } from '../../packages/service/src/connectors/providers.ts';
import { Bulkhead } from '../../packages/service/src/connectors/session/bulkhead.ts';
import { createOutbound, type Outbound, type OutboundPolicy } from '../../packages/service/src/outbound/index.ts';
import { besideSystem, startDns, type DnsStub } from '../connectors/dns-stub.ts';
import { readSource } from '../support/architecture.ts';
import { startCanary, startDecoy, type Canary, type Decoy } from '../support/canary.ts';
import { forbiddenAddresses, forbiddenHosts, forbiddenSockets } from './url-forms.ts';
import { createTurns } from '../../packages/service/src/concurrency/turns.ts';

let canary: Canary;
let dns: DnsStub;
/** A server at 127.0.0.2, which the operator has allowed: it redirects as told by its path. */
let decoy: Decoy;
let decoyPort: number;
const closing: (() => unknown)[] = [];

const resolve = besideSystem(() => dns);

const outboundWith = (policy: OutboundPolicy): Outbound => {
  const outbound = createOutbound({ policy, resolve });
  closing.push(() => outbound.close());
  return outbound;
};

const strict: OutboundPolicy = { allowPrivateHosts: false, allowHosts: [] };
const listed = (): OutboundPolicy => ({
  allowPrivateHosts: false,
  allowHosts: [{ network: '127.0.0.2/32', port: decoyPort }],
});

/** The connectors of all databases. */
const connectorsOn = (outbound: Outbound): readonly SqlConnector[] => {
  const bulkhead = new Bulkhead(500, Date.now);
  const describe = (): Promise<never[]> => Promise.resolve([]);
  const connectors = createConnectors({ outbound, bulkhead, size: 50, filesDir: undefined, describe });
  closing.push(() => connectors.close());
  return providers.flatMap(({ name }) => {
    const connector = connectors.of(name);
    return connector?.kind === 'sql' ? [connector] : [];
  });
};

const reachOf = (host: string, port = canary.port): ConnectionParams => ({
  // One account for each host: none is left alone because of another.
  accountId: `${host}:${port}`,
  organizationId: 'one',
  host,
  port: String(port),
  scope: 'db',
  identifier: 'reader',
  token: 'secret',
  properties: { ssl: 'disable', connect_timeout: 2 },
});

/** Returns the cause of what was refused; `reached` when nothing was. */
async function causeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'reached';
  } catch (error) {
    return error instanceof Error && typeof error.cause === 'string' ? error.cause : String(error);
  }
}

/** Refused before any connection was tried. */
const untried = ['forbidden_address', 'url', 'unknown_host', 'settings'];
const limits = { deadlineMs: 3000, maxBytes: 1000 };
const signal = new AbortController().signal;

beforeAll(async () => {
  canary = await startCanary();
  const loop: readonly (readonly string[])[] = [['127.0.0.1']];
  dns = await startDns({
    'loop.test': loop,
    'localhost.': loop,
    localhost: loop,
    'loop6.test': [['::1']],
    'private.test': [['10.1.2.3']],
    'metadata.test': [['169.254.169.254']],
    'mixed.test': [['127.0.0.2', '127.0.0.1']],
    'mixed-public.test': [['93.184.215.14', '127.0.0.1']],
    'mixed6.test': [['93.184.215.14', '::1']],
    'rebind.test': [['127.0.0.2'], ['127.0.0.1']],
  });
  decoy = await startDecoy();
  decoyPort = decoy.port;
});

afterAll(async () => {
  for (const close of closing) await close();
  dns.stop();
  canary.stop();
  decoy.stop();
});

test('at least sixty forms are tried', () => {
  expect(new Set<string>([...forbiddenHosts, ...forbiddenAddresses]).size).toBeGreaterThanOrEqual(60);
});

describe('the listeners count what arrives', () => {
  test('when an operator allows private hosts, web addresses and all databases reach them', async () => {
    const before = canary.hits();
    const open = outboundWith({ allowPrivateHosts: true, allowHosts: [] });
    const connectors = connectorsOn(open);
    for (const host of ['127.0.0.1', '127.1', 'loop.test', '[::1]'])
      expect(await causeOf(open.fetch(`http://${host}:${canary.port}/`, limits))).toBe('reached');
    for (const connector of connectors) await causeOf(connector.tables(reachOf('127.0.0.1'), signal));
    expect(canary.hits() - before).toBeGreaterThanOrEqual(4 + connectors.length);
  });
});

describe('no forbidden address is connected to', () => {
  /** Returns the forms that were not refused before any connection was tried, and how many connections came. */
  const notRefused = async (forms: readonly string[], call: (form: string) => Promise<unknown>) => {
    const before = canary.hits();
    const causes = await Promise.all(forms.map(async (form) => [form, await causeOf(call(form))] as const));
    return { forms: causes.filter(([, cause]) => !untried.includes(cause)), hits: canary.hits() - before };
  };
  const none = { forms: [], hits: 0 };

  test('by a web address', async () => {
    const outbound = outboundWith(strict);
    const allowing = outboundWith(listed());
    const addresses = [
      ...forbiddenHosts.flatMap((host) => [`https://${host}:${canary.port}/`, `http://${host}:${canary.port}/`]),
      ...forbiddenAddresses.map((form) => form.replaceAll('PORT', String(canary.port))),
    ];
    expect(await notRefused(addresses, (form) => outbound.fetch(form, limits))).toEqual(none);
    expect(await notRefused(addresses, (form) => allowing.fetch(form, limits))).toEqual(none);
    expect(
      await notRefused(addresses, (form) =>
        outbound.fetch(form, { ...limits, method: 'POST', body: '{}', redirects: 5 }),
      ),
    ).toEqual(none);
  });

  test('by redirects of an allowed server, after one hop or five', async () => {
    const outbound = outboundWith(listed());
    const before = decoy.hits();
    const targets = [
      ...forbiddenHosts.flatMap((host) => [`https://${host}:${canary.port}/`, `http://${host}:${canary.port}/`]),
      ...forbiddenAddresses
        .map((form) => form.replaceAll('PORT', String(canary.port)))
        .filter((form) => !/\p{Cc}/u.test(form))
        // Others are paths of the allowed server.
        .filter((form) => URL.canParse(form) || !URL.canParse(form, `http://127.0.0.2:${decoyPort}`)),
      `//127.0.0.1:${canary.port}/`,
    ];
    for (const hops of [0, 4])
      expect(
        await notRefused(targets, (form) =>
          outbound.fetch(decoy.redirecting(hops, form), { ...limits, deadlineMs: 25_000, redirects: 5 }),
        ),
      ).toEqual(none);
    expect(decoy.hits() - before).toBeGreaterThanOrEqual(targets.length * 6);
  });

  test('by the host of an account of any database', async () => {
    const bare = forbiddenHosts.flatMap((host) => [host, host.replace(/^\[(.*)\]$/u, '$1')]);
    const hosts = [...new Set([...bare, ...forbiddenSockets])];
    for (const outbound of [outboundWith(strict), outboundWith(listed())]) {
      for (const connector of connectorsOn(outbound)) {
        expect(await notRefused(hosts, (host) => connector.tables(reachOf(host), signal))).toEqual(none);
        const tested = async (host: string): Promise<void> => {
          const [last] = (await connector.test(reachOf(host), signal)).slice(-1);
          throw Object.assign(new Error(), { cause: last?.cause });
        };
        expect(await notRefused(hosts, tested)).toEqual(none);
      }
    }
  });
});

test('no plugin leads to a forbidden address, by its own address or by redirects', async () => {
  const before = canary.hits();
  const plugins = createPluginConnector(
    createPlugins(outboundWith(listed()), new Bulkhead(500, Date.now), Date.now),
    Date.now,
    createTurns(),
  );
  const addresses = [
    ...forbiddenHosts.flatMap((host) => [`https://${host}:${canary.port}`, `http://${host}:${canary.port}/x`]),
    ...forbiddenAddresses.map((form) => form.replaceAll('PORT', String(canary.port))),
    ...forbiddenHosts.flatMap((host) =>
      [0, 4].map((hops) => decoy.redirecting(hops, `https://${host}:${canary.port}/`)),
    ),
  ];
  for (const baseUrl of addresses) {
    const target = { name: 'plugin', baseUrl, protocolVersion: '2.0.0', pushdown: false, secret: 'secret' };
    const plugin = { target, user: { id: null, name: null, email: null } };
    const reach = { ...reachOf('customer', 1), accountId: baseUrl, organizationId: baseUrl, plugin };
    expect(await causeOf(plugins.tables(reach, signal)), baseUrl).not.toBe('reached');
  }
  expect(canary.hits() - before).toBe(0);
});

describe('a name is looked up once for each connection', () => {
  test('and what was checked is what is connected to, though the next answer is another one', async () => {
    const before = canary.hits();
    const outbound = outboundWith(listed());
    const first = await outbound.fetch(`http://rebind.test:${decoyPort}/`, limits);
    expect(await first.text()).toBe('hello');
    expect(dns.asked('rebind.test')).toBe(1);
    // The second answer leads to 127.0.0.1, on a connection of its own.
    const again = outboundWith(listed());
    expect(await causeOf(again.fetch(`http://rebind.test:${decoyPort}/`, limits))).toBe('forbidden_address');
    expect(await causeOf(again.connect('rebind.test', decoyPort, limits))).toBe('forbidden_address');
    expect(dns.asked('rebind.test')).toBe(3);
    expect(canary.hits() - before).toBe(0);
  });

  test('and one forbidden address among several refuses them all', async () => {
    const before = decoy.hits();
    const outbound = outboundWith(listed());
    for (const name of ['mixed.test', 'mixed-public.test', 'mixed6.test']) {
      expect(await causeOf(outbound.fetch(`http://${name}:${decoyPort}/`, limits))).toBe('forbidden_address');
      expect(await causeOf(outbound.connect(name, decoyPort, limits))).toBe('forbidden_address');
    }
    expect(decoy.hits() - before).toBe(0);
  });
});

describe('what an operator allows', () => {
  test('is exactly a network and a port', async () => {
    const outbound = outboundWith(listed());
    expect(await causeOf(outbound.fetch(`http://127.0.0.2:${decoyPort}/`, limits))).toBe('reached');
    expect(await causeOf(outbound.fetch(`http://127.0.0.3:${decoyPort}/`, limits))).toBe('forbidden_address');
    expect(await causeOf(outbound.connect('127.0.0.2', canary.port, limits))).toBe('forbidden_address');
    expect(await causeOf(outbound.connect('127.0.0.2', decoyPort, limits))).toBe('reached');
  });

  test('does not make http to public addresses possible', async () => {
    const outbound = outboundWith(listed());
    expect(await causeOf(outbound.fetch('http://93.184.215.14/', limits))).toBe('forbidden_address');
    expect(await causeOf(outboundWith(strict).fetch('http://93.184.215.14/', limits))).toBe('url');
  });
});

test('nothing but the guarded way out, the own store and the drivers behind it opens connections', () => {
  const opens =
    /from '(?:undici|node:https?|node:net|node:tls|node:dgram|pg|mysql2(?:\/promise)?|postgres|@clickhouse\/client)'|(?:await|return|[=(]) ?fetch\(/u;
  const folders = /^packages\/service\/src\/(?:outbound|store|http|connectors\/(?:postgresql|mysql|clickhouse))\//u;
  // They listen, speak to their own parent or child, or ask this machine.
  const others = [
    'config/setting-kinds.ts',
    'access/networks.ts',
    'engine/child/main.ts',
    'engine/child-process.ts',
    'cli/commands/start.ts',
    'cli/port.ts',
    'cli/doctor/machine.ts',
  ];
  const found = readSource(join(import.meta.dirname, '..', '..'))
    .filter(({ path }) => path.startsWith('packages/service/src/') && !path.endsWith('.test.ts'))
    .filter(({ path }) => !folders.test(path) && !others.some((other) => path.endsWith(`/src/${other}`)))
    .filter(({ text }) => text.split('\n').some((line) => !line.startsWith('import type') && opens.test(line)));
  expect(found.map(({ path }) => path)).toEqual([]);
});
