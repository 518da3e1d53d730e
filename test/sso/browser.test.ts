import AxeBuilder from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Browser, Page } from 'playwright-core';
import { noBrowser, startBrowser } from '../browser/page.ts';
import { firstOwner } from '../support/load.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { freshDatabase, havePostgresServer } from '../support/service.ts';
import { part, text } from '../support/world.ts';
import { startBalancer } from './balancer.ts';
import { startRealProvider, type RealProvider } from './real-provider.ts';
import { startSite } from './site.ts';

if (noBrowser !== undefined) process.stdout.write(`skipped, single sign-on in a browser: ${noBrowser}\n`);

interface Organization {
  readonly id: string;
  readonly configurationId: string;
  readonly by: { readonly key: string; readonly token: string };
  readonly provider: RealProvider;
}

interface World {
  readonly browser: Browser;
  readonly base: string;
  readonly site: string;
  readonly first: Organization;
  readonly second: Organization;
  stop(): Promise<void>;
}

async function ask(base: string, resource: string, body: object): Promise<JsonObject> {
  const answer = await fetch(`${base}/0.1.0/${resource}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  });
  const read: Json = JSON.parse(await answer.text());
  if (answer.status !== 200 || !isObject(read))
    throw new Error(`${resource}: ${answer.status} ${JSON.stringify(read)}`);
  return read;
}

/** Two instances of the service behind one address, and two organizations with a provider each. */
async function makeWorld(): Promise<World> {
  const [browser, balancer] = await Promise.all([startBrowser(), startBalancer()]);
  const base = balancer.url;
  const site = await startSite(base);
  const onPostgres = havePostgresServer;
  const env = {
    ...firstOwner().settings,
    INLAY_SIGNUP: 'true',
    INLAY_BASE_URL: base,
    INLAY_ALLOW_PRIVATE_HOSTS: 'true',
    INLAY_SSO_ORIGINS: site.origin,
    INLAY_CORS_ORIGINS: site.origin,
    INLAY_LOG_LEVEL: 'warn',
    INLAY_SECRET_KEY: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64'),
    ...(onPostgres ? { INLAY_DATABASE_URL: await freshDatabase() } : {}),
  };
  const instances: ServiceProcess[] = [];
  for (let count = 0; count < (onPostgres ? 2 : 1); count += 1) instances.push(await startService({ env }));
  balancer.to(instances.map(({ port }) => port));
  const organization = async (host: string): Promise<Organization> => {
    const made = await ask(base, 'user', { properties: { email: `owner-${host}@example.com`, name: 'Owner' } });
    const login = { key: text(made, 'key'), token: text(made, 'token') };
    const api = await ask(base, 'authorization', { ...login, properties: { type: 'api' } });
    const by = { key: text(api, 'id'), token: text(api, 'token') };
    const id = text(made, 'organization_id');
    const provider = await startRealProvider(host, base, id);
    const config = { client_id: 'inlay', client_secret: 'the secret of a test client', issuer: provider.issuer };
    const stored = await ask(base, 'ssoconfig', { ...by, properties: { protocol: 'OIDC', config } });
    return { id, configurationId: text(stored, 'id'), by, provider };
  };
  const [first, second] = [await organization('127.0.0.2'), await organization('127.0.0.3')];
  return {
    browser,
    base,
    site: site.origin,
    first,
    second,
    stop: async () => {
      await browser.close();
      await Promise.all(instances.map((instance) => instance.stop()));
      await Promise.all([first.provider.stop(), second.provider.stop(), site.stop(), balancer.stop()]);
    },
  };
}

/** What people do at the provider: their name, a password, consent. */
async function atProvider(page: Page, name: string): Promise<void> {
  await page.fill('input[name=login]', name);
  await page.fill('input[name=password]', 'anything');
  await page.click('button[type=submit]');
  await page.click('button[type=submit]');
}

const axe = AxeBuilder.source;
async function faultsOf(page: Page): Promise<Json> {
  // The page lets no script run but its own.
  const open = await page.context().browser()?.newContext({ bypassCSP: true });
  const copy = await open?.newPage();
  await copy?.setContent(await page.content());
  const found: Json | undefined = await copy?.evaluate(
    `${axe}; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id }) => id))`,
  );
  await open?.close();
  return found ?? null;
}

describe.skipIf(noBrowser !== undefined)('in a browser, with a certified provider and two instances', () => {
  const held: { world?: World } = {};
  const world = (): World => {
    if (held.world === undefined) throw new Error('nothing was started');
    return held.world;
  };
  beforeAll(async () => {
    held.world = await makeWorld();
  });
  afterAll(() => held.world?.stop());
  const isVerified = async ({ by, configurationId }: Organization): Promise<unknown> =>
    (await ask(world().base, 'ssoconfig', { ...by, action: 'get', id: configurationId }))['is_verified'];
  const begin = async (page: Page, { id }: Organization): Promise<void> => {
    await page.goto(world().site);
    await page.evaluate((organization) => Reflect.get(globalThis, 'begin')(organization), id);
    await page.waitForURL((url) => url.origin !== world().site);
  };
  const shown = (page: Page): Promise<string | null> => page.textContent('#shown');
  const untilShown = (page: Page, words: string): Promise<unknown> =>
    page.waitForSelector(`#shown:has-text("${words}")`);

  test('people sign in to a page of a product, which verifies the configuration that was used', async () => {
    const { browser, first, second, site } = world();
    const page = await (await browser.newContext()).newPage();
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    expect([await isVerified(first), await isVerified(second)]).toEqual([false, false]);
    await begin(page, first);
    await atProvider(page, 'ada');
    await untilShown(page, 'signed in');
    expect(await shown(page)).toContain('The ada');
    expect(page.url()).toBe(`${site}/`);
    expect([await isVerified(first), await isVerified(second)]).toEqual([true, false]);
    const login: unknown = await page.evaluate(() => Reflect.get(globalThis, 'login'));
    expect(addresses.filter((address) => address.includes(text(login, 'token')))).toEqual([]);
    await page.context().close();
  });

  test('a window of its own tells the page that opened it', async () => {
    const { browser, first, site } = world();
    const page = await (await browser.newContext()).newPage();
    await page.goto(site);
    const opened = page.waitForEvent('popup');
    await page.evaluate((organization) => Reflect.get(globalThis, 'popup')(organization), first.id);
    await atProvider(await opened, 'grace');
    await untilShown(page, 'The grace');
    expect(page.url()).toBe(`${site}/`);
    await page.context().close();
  });

  test('one browser signs in to two organizations at once, each with its own provider', async () => {
    const { browser, first, second } = world();
    const context = await browser.newContext();
    const [one, other] = [await context.newPage(), await context.newPage()];
    await begin(one, first);
    await begin(other, second);
    await atProvider(other, 'kurt');
    await untilShown(other, 'The kurt');
    await atProvider(one, 'emmy');
    await untilShown(one, 'The emmy');
    expect(await shown(other)).not.toContain('The emmy');
    expect(await shown(one)).not.toContain('The kurt');
    expect(await isVerified(second)).toBe(true);
    await context.close();
  });

  test('signing out here signs out at the provider, which tells every other login of the session', async () => {
    const { browser, base, first } = world();
    const context = await browser.newContext();
    const [one, other] = [await context.newPage(), await context.newPage()];
    await begin(one, first);
    await atProvider(one, 'alan');
    await untilShown(one, 'The alan');
    await other.goto(world().site);
    await other.evaluate((organization) => Reflect.get(globalThis, 'begin')(organization), first.id);
    await untilShown(other, 'The alan');
    const login: unknown = await other.evaluate(() => Reflect.get(globalThis, 'login'));
    await one.evaluate(() => Reflect.get(globalThis, 'signOut')());
    await one.waitForURL((url) => url.href.startsWith(first.provider.issuer));
    await one.click('button[name=logout]');
    await one.waitForURL(`${base}/sso/signed-out**`);
    expect(await one.textContent('h1')).toBe('You are signed out');
    const asked = { key: text(login, 'key'), token: text(login, 'token'), find: {} };
    await expect
      .poll(
        async () =>
          (
            await fetch(`${base}/0.1.0/user`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(asked),
            })
          ).status,
      )
      .toBe(401);
    await context.close();
  });

  test('an owner tests the configuration on a page, and signs in as its last step', async () => {
    const { browser, base, second } = world();
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${base}/sso/${second.id}/test`);
    expect(await faultsOf(page)).toEqual([]);
    await page.fill('#key', second.by.key);
    await page.fill('#token', second.by.token);
    await page.click('button');
    expect(await page.locator('ol li').count()).toBe(5);
    expect(await page.textContent('ol')).not.toContain('wrong.');
    expect(await faultsOf(page)).toEqual([]);
    await page.click('a.button');
    await atProvider(page, 'rosa');
    await page.waitForSelector('h1:has-text("You are signed in")');
    expect(await page.textContent('main')).toContain('in order');
    await page.context().close();
  });

  test('somebody who is here already proves it by their password', async () => {
    const { browser, base, first } = world();
    const properties = { email: 'mary@people.example', name: 'Mary', password: 'a long pass phrase' };
    await ask(base, 'user', { ...first.by, properties });
    const page = await (await browser.newContext({ locale: 'de-DE' })).newPage();
    await begin(page, first);
    await atProvider(page, 'mary');
    await page.waitForSelector('#password');
    expect(await page.textContent('h1')).toBe('Sind Sie das?');
    expect(await faultsOf(page)).toEqual([]);
    await page.fill('#password', 'something else');
    await page.click('button');
    await page.waitForSelector('[role=alert]');
    await page.fill('#password', properties.password);
    await page.click('button');
    await untilShown(page, 'signed in');
    await page.context().close();
  });

  test('whoever refuses at the provider reads so in their language, and finds the way back', async () => {
    const { browser, first, site } = world();
    const page = await (await browser.newContext({ locale: 'nl-NL' })).newPage();
    await begin(page, first);
    await page.click('text=Cancel');
    await page.waitForSelector('[role=alert]');
    expect(await page.textContent('[role=alert]')).toBe('De identiteitsprovider heeft u niet aangemeld.');
    expect(await page.getAttribute('html', 'lang')).toBe('nl');
    expect(await faultsOf(page)).toEqual([]);
    await page.click('a.button');
    await untilShown(page, 'failed: refused_by_provider');
    expect(page.url()).toBe(`${site}/`);
    await page.context().close();
  });

  test('the person of one organization is not seen by the other', async () => {
    const { base, first, second } = world();
    const names = async ({ by }: Organization): Promise<string> =>
      JSON.stringify(part(await ask(base, 'user', { ...by, find: {} }), 'rows'));
    expect(await names(first)).not.toContain('The kurt');
    expect(await names(second)).not.toContain('The ada');
  });
});
