import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send as sendToModel } from '../../packages/service/src/model/send.ts';
import { createPlugins } from '../../packages/service/src/connectors/plugin/plugin.ts';
import { authorizeCall, datasetsCall, exchangeCall } from '../../packages/service/src/connectors/plugin/protocol.ts';
import { Bulkhead } from '../../packages/service/src/connectors/session/bulkhead.ts';
import { createOutbound, type Outbound } from '../../packages/service/src/outbound/index.ts';
import type { Configuration } from '../../packages/service/src/sso/provider/configuration.ts';
import { createExchange } from '../../packages/service/src/sso/provider/exchange.ts';
import { readMapping } from '../../packages/service/src/resources/parts/sso-mapping.ts';
import type { Provider } from '../../packages/service/src/sso/provider/oidc.ts';
import { createSend } from '../../packages/service/src/sso/provider/send.ts';
import { besideSystem, startDns, type DnsStub } from '../connectors/dns-stub.ts';
import { startCanary, startDecoy, type Canary, type Decoy } from '../support/canary.ts';
import { forbiddenAddresses, forbiddenHosts } from './url-forms.ts';

const issuer = 'https://login.example.com';
const plainIssuer = 'http://login.example.com';
const secrets = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(64) };
const never = new AbortController().signal;

let canary: Canary;
/** Where the operator lets calls go, at the port of the canary: a name that changes its address leads to the canary. */
let decoy: Decoy;
let dns: DnsStub;
const closing: (() => unknown)[] = [];

const resolve = besideSystem(() => dns);

/** Returns a configuration of its own for each address: none is left alone because of another. */
const configurationOf = (address: string, at: Partial<Configuration> = {}): Configuration => ({
  id: address,
  organizationId: 'one',
  issuer,
  clientId: 'inlay',
  clientSecret: 'secret',
  fingerprint: address,
  authorizationUrl: null,
  tokenUrl: null,
  userInfoUrl: null,
  isVerified: false,
  mapping: readMapping(null),
  ...at,
});

const providerAt = (tokenUrl: string): Provider => ({
  issuer: plainIssuer,
  authorizationUrl: `${issuer}/authorize`,
  tokenUrl,
  userInfoUrl: null,
  jwksUrl: null,
  endSessionUrl: null,
  algorithms: ['RS256'],
  namesIssuer: false,
  secretInHeader: false,
});

const cameBackTo = new URL('https://inlay.example.com/sso/callback?code=code&state=state');

type Lead = (outbound: Outbound, address: string) => Promise<unknown>;

const exchangeOver = (outbound: Outbound) => createExchange(createSend(outbound, Date.now), Date.now);

const callPlugin =
  (callOf: typeof authorizeCall): Lead =>
  async (outbound, baseUrl) => {
    const target = { name: 'plugin', baseUrl, protocolVersion: '2.0.0', pushdown: false, secret: 'secret' };
    const user = { id: null, name: null, email: null };
    const reach = { ...target, host: null, key: null, token: 'secret', properties: {}, user };
    const options = { organizationId: baseUrl, deadlineMs: 3000, maxBytes: 1000, signal: never };
    return createPlugins(outbound, new Bulkhead(500, Date.now), Date.now).json(callOf(reach), options);
  };

/** Every address that somebody can give the service to call, but for hosts of databases: each calls what it is given. */
const fields: Readonly<Record<string, Lead>> = {
  'the issuer of a provider, for its discovery': (outbound, address) =>
    exchangeOver(outbound).discover(configurationOf(address, { issuer: address })),
  'the issuer of a provider, for its clock': (outbound, address) =>
    exchangeOver(outbound).clock(configurationOf(address, { issuer: address })),
  'the authorization address of a provider, as a test of the configuration visits it': (outbound, address) =>
    exchangeOver(outbound).visit(configurationOf(address), address),
  'the token address of a provider': (outbound, address) =>
    exchangeOver(outbound).redeem(
      // With another issuer no address of http would be tried at all.
      configurationOf(address, { issuer: plainIssuer }),
      providerAt(address),
      cameBackTo,
      secrets,
    ),
  'the user info address of a provider': (outbound, address) =>
    exchangeOver(outbound).userInfo(configurationOf(address), address, 'access'),
  'the address of the keys of a provider': (outbound, address) =>
    exchangeOver(outbound).keys(configurationOf(address), address),
  'the base address of an AI provider': async (outbound, baseUrl) => {
    const endpoint = { baseUrl, key: 'secret', model: 'a-model' };
    const sent = await sendToModel(outbound, endpoint, '{}', 3000, never);
    if (sent.kind === 'failed') throw new Error(sent.cause);
    return sent;
  },
  'the base address of a plugin that authorizes': callPlugin(authorizeCall),
  'the base address of a plugin that exchanges the code of OAuth 2': callPlugin((reach) => exchangeCall(reach, 'code')),
  'the base address of a plugin that lists tables': callPlugin(datasetsCall),
};

const strict = { allowPrivateHosts: false, allowHosts: [] };
const listed = () => ({ allowPrivateHosts: false, allowHosts: [{ network: '127.0.0.2/32', port: decoy.port }] });

const outboundWith = (policy: Parameters<typeof createOutbound>[0]['policy']): Outbound => {
  const outbound = createOutbound({ policy, resolve });
  closing.push(() => outbound.close());
  return outbound;
};

beforeAll(async () => {
  canary = await startCanary();
  decoy = await startDecoy(canary.port);
  dns = await startDns({
    'loop.test': [['127.0.0.1']],
    'localhost.': [['127.0.0.1']],
    localhost: [['127.0.0.1']],
    'loop6.test': [['::1']],
    'private.test': [['10.1.2.3']],
    'metadata.test': [['169.254.169.254']],
    'mixed.test': [['127.0.0.2', '127.0.0.1']],
    'mixed-public.test': [['93.184.215.14', '127.0.0.1']],
    'mixed6.test': [['93.184.215.14', '::1']],
    ...Object.fromEntries(Object.keys(fields).map((_, at) => [`rebind${at}.test`, [['127.0.0.2'], ['127.0.0.1']]])),
  });
});

afterAll(async () => {
  for (const close of closing) await close();
  dns.stop();
  canary.stop();
  decoy.stop();
});

const addresses = (): readonly string[] => [
  ...forbiddenHosts.flatMap((host) => [`https://${host}:${canary.port}/x`, `http://${host}:${canary.port}/x`]),
  ...forbiddenAddresses.map((form) => form.replaceAll('PORT', String(canary.port))),
];

/** Calls that were answered, and how many connections came to the canary. */
const notRefused = async (forms: readonly string[], call: (form: string) => Promise<unknown>) => {
  const before = canary.hits();
  const ends = await Promise.all(
    forms.map((form) =>
      call(form).then(
        () => form,
        () => null,
      ),
    ),
  );
  return { answered: ends.filter((form) => form !== null), hits: canary.hits() - before };
};
const none = { answered: [], hits: 0 };

describe.each(Object.entries(fields))('%s', (name, lead) => {
  test('reaches the listener when an operator allows private hosts, so that the others can fail', async () => {
    const before = canary.hits();
    await lead(outboundWith({ allowPrivateHosts: true, allowHosts: [] }), `http://127.0.0.1:${canary.port}`).catch(
      () => undefined,
    );
    expect(canary.hits() - before).toBeGreaterThan(0);
  });

  test('leads to no forbidden address, however it is written', async () => {
    for (const policy of [strict, listed()]) {
      const outbound = outboundWith(policy);
      expect(await notRefused(addresses(), (form) => lead(outbound, form))).toEqual(none);
    }
  });

  test('leads to no forbidden address by redirects of an allowed server, after one hop or five', async () => {
    const outbound = outboundWith(listed());
    const before = decoy.hits();
    const targets = forbiddenHosts.flatMap((host) => [`https://${host}:${canary.port}/`, `//${host}:${canary.port}/`]);
    for (const hops of [0, 4]) {
      const forms = targets.map((target) => decoy.redirecting(hops, target));
      // Some are told of the redirect; none may follow it.
      const { hits } = await notRefused(forms, (form) => lead(outbound, form));
      expect(hits).toBe(0);
    }
    expect(decoy.hits() - before).toBeGreaterThanOrEqual(targets.length * 2);
  });

  test('leads to no forbidden address by a name that changes its address', async () => {
    const form = `http://rebind${Object.keys(fields).indexOf(name)}.test:${decoy.port}`;
    const before = [canary.hits(), decoy.hits()] as const;
    for (let time = 0; time < 3; time += 1) {
      const outbound = outboundWith(listed());
      await lead(outbound, form).catch(() => undefined);
    }
    expect(canary.hits() - before[0]).toBe(0);
    expect(decoy.hits() - before[1]).toBe(1);
  });
});
