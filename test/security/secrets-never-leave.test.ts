import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretPlaces } from '../../packages/service/src/declare/secrets.ts';
import { freePort } from '../support/free-port.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { freshDatabase, storesToTest } from '../support/service.ts';
import { resources } from '../../packages/service/src/resources/index.ts';
import { isList, type Json } from '@inlay/contract';

/** Forms a secret could leave in. */
const forms = (secret: string): readonly Buffer[] => {
  const bytes = Buffer.from(secret);
  // The middle of base64 does not depend on what stands before it; three cuts cover every alignment.
  const shifted = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );
  const texts = [
    secret,
    ...shifted,
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
  return [...new Set([...texts, ...shifted.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))])].map(
    (text) => Buffer.from(text),
  );
};

/** Looks for planted secrets in whatever leaves the service. */
class Canaries {
  readonly #forms = new Map<string, readonly Buffer[]>();

  plant(name: string, secret = `canary+${name}/${randomBytes(18).toString('base64url')}=?`): string {
    this.#forms.set(name, forms(secret));
    return secret;
  }

  /** Returns the names of the secrets found in the bytes, but for the one that may be there. */
  in(bytes: Buffer | string, rightful: readonly string[] = []): readonly string[] {
    const held = Buffer.from(bytes);
    return [...this.#forms].flatMap(([name, known]) =>
      !rightful.includes(name) && known.some((form) => held.includes(form)) ? [name] : [],
    );
  }
}

const everyFile = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );

interface Answered {
  readonly status: number;
  readonly body: Json;
}

describe('the search for planted secrets', () => {
  it('finds a leak in every form', () => {
    const canaries = new Canaries();
    const secret = canaries.plant('planted');
    const bytes = Buffer.from(secret);
    const leaks = [
      secret,
      `{"a":"${secret}"}`,
      bytes.toString('base64'),
      Buffer.from(`x${secret}y`).toString('base64'),
      Buffer.from(`{"token":"${secret}"}`).toString('base64url'),
    ];
    for (const leak of [...leaks, bytes.toString('hex'), encodeURIComponent(secret)])
      expect(canaries.in(`before ${leak} after`), leak).toEqual(['planted']);
    expect(canaries.in('nothing')).toEqual([]);
    expect(canaries.in(secret, ['planted'])).toEqual([]);
  });
});

describe.each(storesToTest)('secrets on %s', (store) => {
  const canaries = new Canaries();
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-canary-'));
  const outputs: string[] = [];
  const found: string[] = [];
  const key = '018f0000-0000-7000-8000-0000000000aa';
  const env: Record<string, string> = {};
  let service: ServiceProcess;
  let port = 0;
  let asked = 0;

  const start = async (): Promise<void> => {
    service = await startService({ env, port });
  };
  const note = (where: string, bytes: Buffer | string, rightful: readonly string[] = []): void => {
    for (const name of canaries.in(bytes, rightful)) found.push(`${name} in ${where}`);
  };

  async function send(
    resource: string,
    body: object,
    rightful: readonly string[] = [],
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const credentials = { key, token: env['INLAY_BOOTSTRAP_TOKEN'] ?? '' };
    const answer = await fetch(`${service.url}/0.1.0/${resource}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close', ...headers },
      body: JSON.stringify({ ...credentials, ...body }),
    });
    const text = await answer.text();
    asked += 1;
    note(`the answer ${answer.status} to ${resource} ${JSON.stringify(body).slice(0, 80)}`, text, rightful);
    note(`the headers of ${resource}`, JSON.stringify([...answer.headers]));
    const parsed: Json = JSON.parse(text);
    return { status: answer.status, body: parsed };
  }
  const idOf = ({ body }: Answered): string => /"id":"([^"]+)"/u.exec(JSON.stringify(body))?.[1] ?? '';

  beforeAll(async () => {
    port = await freePort();
    env['INLAY_DATA_DIR'] = dataDir;
    env['INLAY_LOG_LEVEL'] = 'trace';
    env['INLAY_RATE_LIMIT'] = '0';
    env['INLAY_LOGIN_RATE_LIMIT'] = '0';
    const secretKey = randomBytes(32);
    env['INLAY_SECRET_KEY'] = canaries.plant('INLAY_SECRET_KEY', secretKey.toString('base64'));
    canaries.plant('INLAY_SECRET_KEY bytes', secretKey.toString('latin1'));
    env['INLAY_BOOTSTRAP_KEY'] = key;
    env['INLAY_BOOTSTRAP_TOKEN'] = canaries.plant('first token', randomBytes(32).toString('hex'));
    env['INLAY_BOOTSTRAP_EMAIL'] = 'first@people.example';
    env['INLAY_BOOTSTRAP_PASSWORD'] = canaries.plant('first password');
    if (store === 'postgres') {
      const url = new URL(await freshDatabase());
      url.password = canaries.plant('database password', randomBytes(18).toString('hex'));
      env['INLAY_DATABASE_URL'] = url.href;
    }
    await start();
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('has every secret place of the declarations in the run below', () => {
    const places = resources.flatMap((resource) => secretPlaces(resource).map((place) => `${resource.name}.${place}`));
    expect(places).toEqual([
      'account.token',
      'ssoconfig.config.client_secret',
      'plugin.secret',
      'authorization.account_overrides',
    ]);
  });

  it('are in no answer but their own, whatever is asked, repeated, refused or killed', async () => {
    const plant = (name: string): string => canaries.plant(name);
    const repeated = { 'idempotency-key': 'canary' };
    const account = {
      action: 'create',
      properties: { name: 'A', provider: 'p', identifier: 'i', token: plant('account.token') },
    };
    const made = await send('account', account, ['account.token'], repeated);
    expect(JSON.stringify(made.body)).toContain('canary+account.token');
    // A repetition is the same request again, so its answer is the rightful one too.
    expect((await send('account', account, ['account.token'], repeated)).status).toBe(200);
    await send('account', { ...account, properties: { ...account.properties, name: 'other' } }, [], repeated);
    const accountId = idOf(made);
    await send('account', { action: 'update', id: accountId, properties: { token: plant('second account.token') } }, [
      'second account.token',
    ]);
    await send('account', { action: 'update', id: accountId, properties: { token: '********', name: 'B' } });
    const pluginId = idOf(
      await send(
        'plugin',
        { action: 'create', properties: { slug: 'canary', public: true, secret: plant('plugin.secret') } },
        ['plugin.secret'],
      ),
    );
    const config = { client_id: 'c', client_secret: plant('client_secret'), issuer: 'https://login.example.com' };
    const ssoId = idOf(
      await send('ssoconfig', { action: 'create', properties: { protocol: 'OIDC', config } }, ['client_secret']),
    );
    await send('ssoconfig', { action: 'update', id: ssoId, properties: { config: { client_id: 'c' } } });
    const password = plant('user.password');
    const user = await send('user', {
      action: 'create',
      properties: { email: 'canary@people.example', name: 'C', password },
    });
    const token = /"token":"([^"]+)"/u.exec(JSON.stringify(user.body))?.[1] ?? '';
    canaries.plant('issued login token', token);
    const login = { action: 'create', properties: { type: 'login', email: 'canary@people.example', password } };
    const logged = await send('authorization', login);
    canaries.plant('login token', /"token":"([^"]+)"/u.exec(JSON.stringify(logged.body))?.[1] ?? '');
    const overrides = Object.fromEntries([[accountId, { host: 'h', token: plant('account_overrides') }]]);
    const embed = { type: 'embed', username: 'e', role: 'viewer', account_overrides: overrides };
    const embedded = await send('authorization', { action: 'create', properties: embed }, ['account_overrides']);
    expect(embedded.status).toBe(200);
    canaries.plant('embed token', /"token":"([^"]+)"/u.exec(JSON.stringify(embedded.body))?.[1] ?? '');

    // Refusals that carry a secret say nothing of it.
    const refused = [
      ['account', { action: 'create', properties: { token: plant('refused token'), nonsense: 1 } }],
      ['account', { action: 'update', id: key, properties: { token: plant('token for nobody') } }],
      ['account', { action: 'create', properties: { port: plant('secret in the wrong field') } }],
      ['plugin', { action: 'create', properties: { slug: 'canary', secret: plant('secret of a taken slug') } }],
      [
        'ssoconfig',
        { action: 'create', properties: { protocol: 'OIDC', config: { client_secret: plant('second ssoconfig') } } },
      ],
      [
        'ssoconfig',
        { action: 'update', id: ssoId, properties: { config: { client_secret: [plant('secret in a list')] } } },
      ],
      [
        'user',
        {
          action: 'create',
          properties: { email: 'canary@people.example', password: plant('password of a taken address') },
        },
      ],
      ['user', { action: 'create', properties: { email: 'x', password: plant('password of a bad address') } }],
      [
        'authorization',
        {
          action: 'create',
          properties: { type: 'login', email: 'canary@people.example', password: plant('wrong password') },
        },
      ],
      ['authorization', { action: 'create', properties: { ...embed, account_overrides: plant('overrides as text') } }],
      ['theme', { key, token: plant('wrong token'), find: {} }],
    ] as const;
    for (const [resource, body] of refused)
      expect((await send(resource, body)).status, JSON.stringify(body).slice(0, 90)).toBeGreaterThanOrEqual(400);

    const read = async (): Promise<void> => {
      for (const resource of resources) {
        if (resource.roles.get === undefined) continue;
        const include = Object.keys(resource.associations ?? {}).map((model) => ({ model, include: [] }));
        const answer = await send(resource.name, { action: 'get', find: { include, limit: 50 } });
        const rows = Object(answer.body).rows;
        if (isList(rows) && rows.length > 0)
          await send(resource.name, { action: 'get', id: idOf({ status: 200, body: rows[0] ?? null }) });
        for (const place of secretPlaces(resource)) {
          const [name = ''] = place.split('.');
          for (const find of [
            { where: { [name]: account.properties.token } },
            { order: [[name, 'asc']] },
            { attributes: [name] },
          ])
            await send(resource.name, { action: 'get', find });
        }
      }
      for (const path of ['/metrics', '/docs', '/openapi.json', '/livez', '/readyz', '/nothing'])
        note(path, await (await fetch(service.url + path)).text());
    };
    await read();
    service.kill('SIGKILL');
    await service.exited;
    outputs.push(service.output());
    await start();
    await send('account', account, ['account.token'], repeated);
    await send('plugin', { action: 'update', id: pluginId, properties: { name: { en: 'still' } } });
    await read();
    process.stdout.write(`canaries on ${store}: ${asked} answers\n`);
    expect(found).toEqual([]);
  });

  it('are in no log, no file of the store, no backup', async () => {
    const looked = (): void => {
      for (const file of everyFile(dataDir)) note(file.slice(dataDir.length), readFileSync(file));
    };
    looked();
    if (store === 'sqlite') {
      const { backup, DatabaseSync } = await import('node:sqlite');
      const database = new DatabaseSync(join(dataDir, 'store', 'inlay.db'), { readOnly: true });
      await backup(database, join(dataDir, 'backup.db'));
      database.close();
    } else {
      const { default: postgres } = await import('postgres');
      const link = postgres(env['INLAY_DATABASE_URL'] ?? '', { max: 1 });
      const tables =
        await link`select table_name as name from information_schema.tables where table_schema = current_schema()`;
      for (const { name } of tables)
        note(`table ${String(name)}`, JSON.stringify(await link`select * from ${link(String(name))}`));
      await link.end();
    }
    looked();
    await service.stop();
    outputs.push(service.output());
    for (const output of outputs) note('the log', output);
    looked();
    expect(outputs.join('').length).toBeGreaterThan(1000);
    expect([...new Set(found)]).toEqual([]);
  });
});
