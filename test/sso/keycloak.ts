import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { freePort } from '../support/free-port.ts';
import { text } from '../support/world.ts';

const run = promisify(execFile);
const version = '26.7.3';
const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
const admin = { username: 'admin', password: 'only a test' };

/** Keycloak itself, as its recipe in the docs sets it up. */
export interface Keycloak {
  readonly issuer: string;
  /** Returns a call of its administration, below the realm; returns the body. */
  admin(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: Json): Promise<Json>;
  stop(): Promise<void>;
}

/** Returns the folder of an unpacked Keycloak, or why there is none. */
export async function unpackKeycloak(): Promise<{ readonly folder: string } | { readonly missing: string }> {
  const java = await run('java', ['-version']).catch(() => null);
  const major = Number(/version "(\d+)/u.exec(java?.stderr ?? '')?.[1] ?? 0);
  if (major < 17) return { missing: `Java 17 or newer is needed (found ${major === 0 ? 'none' : major})` };
  const folder = mkdtempSync(join(tmpdir(), 'keycloak-'));
  const unpack = ['-q', '-B', 'dependency:unpack', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
  try {
    await run('mvn', unpack, { cwd: folder, timeout: 600_000 });
    return { folder: join(folder, `keycloak-${version}`) };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return { missing: `${artifact} could not be had from Maven: ${String(error).slice(0, 300)}` };
  }
}

/** Returns a realm with one client, as the recipe says, but for what the administration changes later. */
const realm = (base: string, organizationId: string): JsonObject => ({
  realm: 'main',
  enabled: true,
  sslRequired: 'none',
  roles: { realm: [{ name: 'analytics-owner' }] },
  groups: [{ name: 'sales' }],
  clients: [
    {
      clientId: 'inlay',
      secret: 'the secret of a test client',
      publicClient: false,
      standardFlowEnabled: true,
      directAccessGrantsEnabled: false,
      redirectUris: [`${base}/sso/callback`],
      attributes: {
        'post.logout.redirect.uris': `${base}/sso/signed-out`,
        'backchannel.logout.url': `${base}/sso/${organizationId}/backchannel`,
        'backchannel.logout.session.required': 'true',
      },
      protocolMappers: [
        {
          name: 'groups',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-group-membership-mapper',
          config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' },
        },
      ],
    },
  ],
  users: [
    {
      username: 'ada',
      email: 'ada@people.example',
      emailVerified: true,
      enabled: true,
      firstName: 'Ada',
      lastName: 'Lovelace',
      realmRoles: ['analytics-owner'],
      groups: ['/sales'],
      credentials: [{ type: 'password', value: admin.password }],
    },
  ],
});

async function answered(url: string, options: RequestInit): Promise<Json> {
  const answer = await fetch(url, options);
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${body.slice(0, 500)}`);
  const read: Json = body === '' ? null : JSON.parse(body);
  return read;
}

/** Starts an unpacked Keycloak in its mode for development, and makes the realm. */
export async function startKeycloak(folder: string, host: string): Promise<Keycloak & { setUp: SetUp }> {
  const port = await freePort();
  const base = `http://${host}:${port}`;
  const options = [`--http-port=${port}`, `--http-host=${host}`, `--hostname=${base}`];
  const child = spawn('sh', [join(folder, 'bin/kc.sh'), 'start-dev', ...options], {
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: admin.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (said: string) => (output += said));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    // The script starts Java; both are in one group of processes.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await exited;
    rmSync(join(folder, '..'), { recursive: true, force: true });
  };
  const isReady = (): Promise<boolean> =>
    fetch(`${base}/realms/master`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let waited = 0; !(await isReady()); waited += 1) {
    if (waited < 600 && child.exitCode === null) await sleep(500);
    else {
      await stop();
      throw new Error(`Keycloak did not start:\n${output}`);
    }
  }
  async function headers(): Promise<Record<string, string>> {
    const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...admin });
    const made = await answered(`${base}/realms/master/protocol/openid-connect/token`, { method: 'POST', body: form });
    return { authorization: `Bearer ${text(made, 'access_token')}`, 'content-type': 'application/json' };
  }
  const call = async (method: string, url: string, body?: Json): Promise<Json> =>
    answered(url, {
      method,
      headers: await headers(),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const asked: Keycloak['admin'] = (method, path, body) => call(method, `${base}/admin/realms/main${path}`, body);
  const setUp: SetUp = async (service, organizationId) => {
    await call('POST', `${base}/admin/realms`, realm(service, organizationId));
    // Client scopes → roles → Mappers → realm roles → Add to ID token.
    const scope = named(await asked('GET', '/client-scopes'), 'roles');
    const mappers = `/client-scopes/${text(scope, 'id')}/protocol-mappers/models`;
    const mapper = named(await asked('GET', mappers), 'realm roles');
    const config = isObject(mapper['config'] ?? null) ? mapper['config'] : {};
    const changed = { ...mapper, config: { ...Object(config), 'id.token.claim': 'true' } };
    await asked('PUT', `${mappers}/${text(mapper, 'id')}`, changed);
  };
  return { issuer: `${base}/realms/main`, admin: asked, stop, setUp };
}

/** Makes the realm for the service at an address, and the client of an organization. */
type SetUp = (service: string, organizationId: string) => Promise<void>;

/** Returns the one of a list that has a name. */
export function named(list: Json, name: string): JsonObject {
  const rows = isList(list) ? list.filter((one) => isObject(one)) : [];
  const found = rows.find((one) => one['name'] === name || one['username'] === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

/**
 * Creates a browser as far as Keycloak's page of passwords needs one: it follows redirects and keeps cookies, by host.
 */
export function createVisitor() {
  const jars = new Map<string, Map<string, string>>();
  async function visit(
    url: string,
    form?: Record<string, string>,
  ): Promise<{ url: string; status: number; body: string }> {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(cookie) ?? [];
      if (value === '' || /max-age=0/iu.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    const location = answer.headers.get('location');
    const body = await answer.text();
    if (location === null) return { url, status: answer.status, body };
    const next = new URL(location, url).href;
    // The page of the product is nobody's server here.
    return next.startsWith('https://') ? { url: next, status: answer.status, body } : visit(next);
  }
  return {
    visit,
    /** Sends the form of a page with a name and a password. */
    async logIn(page: { readonly url: string; readonly body: string }, username: string) {
      const action = /<form[^>]*action="([^"]+)"/u.exec(page.body)?.[1]?.replaceAll('&amp;', '&');
      if (action === undefined) throw new Error(`no form at ${page.url}: ${page.body.slice(0, 800)}`);
      return visit(action, { username, password: admin.password, credentialId: '' });
    },
  };
}
