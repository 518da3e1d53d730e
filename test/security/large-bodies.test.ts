import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject, type Json } from '@inlay/contract';
import { oneStore, startTestService, type TestService } from '../support/service.ts';
import { counted } from '../support/counts.ts';
import { inUse } from '../support/in-use.ts';
import { datasetIn, part } from '../support/world.ts';

const megabyte = 1024 * 1024;

interface Reply {
  readonly status: number;
  readonly body: Json;
  readonly retryAfter: string | null;
}

describe('a large body', () => {
  let service: TestService;
  const at = { port: 0 };
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-bodies-'));
  const folder = join(dataDir, 'work', 'bodies');
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'left-by-a-crash'), 'x');
    service = await startTestService({
      store: oneStore,
      dataDir,
      settings: { INLAY_BODIES_PER_ADDRESS_MB: '64', INLAY_ENGINE_MEMORY_MB: '1200' },
    });
    await service.server.listen({ host: '127.0.0.1', port: 0 });
    const address = service.server.server.address();
    at.port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterAll(async () => {
    service?.server.server.closeAllConnections();
    await service?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const bearer = (): Record<string, string> => ({
    authorization: `Bearer ${service.owner.key}:${service.owner.token}`,
  });
  const ask = (path: string, body: string | Buffer, headers: Record<string, string | number> = {}): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const made = httpRequest(
        {
          port: at.port,
          host: '127.0.0.1',
          method: 'POST',
          path,
          agent: false,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
        },
        (answer) => {
          let said = '';
          answer.setEncoding('utf8').on('data', (piece: string) => (said += piece));
          answer.on('end', () => {
            const read: Json = JSON.parse(said);
            resolve({ status: answer.statusCode ?? 0, body: read, retryAfter: answer.headers['retry-after'] ?? null });
          });
        },
      );
      made.on('error', reject);
      made.end(body);
    });
  const push = (data: string, options: object = { header: true }, more = ''): string => {
    const { key, token } = service.owner;
    const properties = `{"type":"create","data":${data},"options":${JSON.stringify(options)}}`;
    return `{"action":"create","properties":${properties}${more},"key":"${key}","token":"${token}"}`;
  };
  /** Rows of over two megabytes, one of whose cells is given. */
  const rows = (cell = '1', count = 3000): string =>
    `[["name","value"],${Array.from({ length: count }, (_, index) => `["${String(index).padStart(700, 'é')}",${index === 1500 ? cell : index}]`).join(',')}]`;
  const nothingIsLeft = async (): Promise<void> => {
    const held = (): string[] => Object.keys(inUse(service.app));
    for (let tries = 0; held().length > 0 && tries < 500; tries += 1) await sleep(20);
    expect([held(), existsSync(folder) ? readdirSync(folder) : []]).toEqual([[], []]);
  };

  it('with its credentials at the end is stored as a small one would be', async () => {
    const made = await ask('/0.1.0/data', push(rows('null')));
    expect(made.status).toBe(200);
    const { id, rows: stored } = datasetIn(made.body);
    expect(stored).toBe(3000);
    const small = `{"action":"create","properties":{"type":"append","securable_id":"${id}","data":[["last",7]]}}`;
    expect((await ask('/0.1.0/data', small, bearer())).status).toBe(200);
    const more = push(rows(), { header: true }, '').replace(
      '"type":"create"',
      `"type":"append","securable_id":"${id}"`,
    );
    expect(datasetIn((await ask('/0.1.0/data', more)).body)).toMatchObject({ rows: 6001 });
    const columns = await service.call('column', { find: { where: { securable_id: id } } }, service.owner);
    const list = isObject(columns.body) ? columns.body['rows'] : null;
    const value = Array.isArray(list) ? list.find((one) => isObject(one) && one['source_name'] === 'value') : null;
    const measures = [{ dataset_id: id, column_id: part(value, 'id'), aggregation: { type: 'sum' } }];
    const sum = await service.call('data', { find: { measures } }, service.owner);
    const all = (2999 * 3000) / 2;
    expect(part(sum.body, 'data')).toEqual([[all - 1500 + 7 + all - 1500 + 1]]);
    await nothingIsLeft();
  });

  it('says the same of wrong rows as a small one', async () => {
    const filler = `["${'x'.repeat(1000)}",1]`;
    const many = (wrong: string, count = 1200): string => `[["a","b"],${wrong},${Array(count).fill(filler).join(',')}]`;
    for (const wrong of ['{"c":1}', '7', '[1,2,3]', '["a","b","c","d"]']) {
      const [small, large] = [
        await ask('/0.1.0/data', push(many(wrong, 1))),
        await ask('/0.1.0/data', push(many(wrong))),
      ];
      expect([wrong, small.status, small.body]).toEqual([wrong, 400, { ...obj(small.body) }]);
      expect(part(large.body, 'validation')).toEqual(part(small.body, 'validation'));
      expect(part(large.body, 'code')).toBe(part(small.body, 'code'));
    }
    const tooMany = await ask(
      '/0.1.0/data',
      push(
        `[["a"],${Array(10_001)
          .fill(`["${'x'.repeat(150)}"]`)
          .join(',')}]`,
      ),
    );
    expect([tooMany.status, JSON.stringify(tooMany.body)]).toEqual([400, expect.stringContaining('has 10001 rows')]);
    await nothingIsLeft();
  });

  it('is refused for whatever a small one is refused', async () => {
    const texts = [
      '"\\u0000"',
      '"\\ud800"',
      '{"__proto__":1}',
      '{"c\\u006fnstructor":1}',
      'NaN',
      "'a'",
      `${'['.repeat(64)}${']'.repeat(64)}`,
      '1,',
      '',
      '[1}',
      '"a" "b"',
    ];
    for (const wrong of texts) {
      const inRow = await ask('/0.1.0/data', push(rows(wrong)));
      expect([wrong, inRow.status, part(inRow.body, 'code')]).toEqual([wrong, 400, 'json_invalid']);
      const beside = await ask('/0.1.0/data', push(rows(), { header: true }, `,"id":${wrong}`));
      if (wrong !== '1,')
        expect([wrong, beside.status, part(beside.body, 'code')]).toEqual([wrong, 400, 'json_invalid']);
    }
    // A number that JSON readers round is kept as it is written in a row, and refused anywhere else.
    for (const wide of ['1e400', '9007199254740993']) {
      const inRow = await ask('/0.1.0/data', push(rows(wide)));
      const beside = await ask('/0.1.0/data', push(rows(), { header: true }, `,"id":${wide}`));
      expect([wide, inRow.status, beside.status, part(beside.body, 'code')]).toEqual([wide, 200, 400, 'json_invalid']);
    }
    const bytes = Buffer.from(push(rows('"#"')));
    bytes[bytes.indexOf('"#"') + 1] = 0xff;
    expect(part((await ask('/0.1.0/data', bytes)).body, 'code')).toBe('json_invalid');
    for (const twice of [',"\\u006bey":"x"', ',"token":null', ',"prop\\u0065rties":{}'])
      expect([twice, part((await ask('/0.1.0/data', push(rows(), {}, twice))).body, 'code')]).toEqual([
        twice,
        'json_invalid',
      ]);
    const large = await ask('/0.1.0/data', push('[]', {}, `,"find":{"x":"${'x'.repeat(7 * megabyte)}"}`));
    expect([large.status, part(large.body, 'code')]).toEqual([413, 'body_too_large']);
    const contents = JSON.stringify({ action: 'create', properties: { type: 'dashboard', contents: { views: [] } } });
    const padded = `${contents.slice(0, -1)}${' '.repeat(2 * megabyte)}}`;
    expect((await ask('/0.1.0/securable', padded, bearer())).status).toBe(200);
    expect((await ask('/0.1.0/securable', `${padded}]`, bearer())).status).toBe(400);
    await nothingIsLeft();
  });

  it('of somebody unknown is not read, or nothing is made of it', async () => {
    const { key } = service.owner;
    const broken = `{"properties":{"data":[${'{'.repeat(20)}`;
    const filler = 'x'.repeat(2 * megabyte);
    for (const [body, code] of [
      [`{"find":{"a":"${filler}"}}`, 'credentials_missing'],
      [`{"find":{"a":"${filler}"},"key":"${key}","token":"wrong"}`, 'credentials_invalid'],
      [`{"find":{"a":"${filler}"},"key":"no uuid","token":"wrong"}`, 'credentials_invalid'],
      [`{"a":"${filler}","key":"${key}","token":"wrong","b":${broken}`, 'credentials_invalid'],
      [`{"a":"${'x'.repeat(100_000)}","key":"${key}","token":"wrong","b":`, 'credentials_invalid'],
      [`["${filler}"]`, 'credentials_missing'],
    ] as const)
      expect(part((await ask('/0.1.0/data', body)).body, 'code')).toBe(code);
    // In the header: answered before any of the body has come.
    for (const [path, length] of [
      ['/0.1.0/data', 60 * megabyte],
      ['/0.1.0/theme', 100],
    ] as const) {
      const answered = await new Promise<string>((resolve) => {
        const socket = connect(at.port, '127.0.0.1', () =>
          socket.write(
            `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${key}:wrong\r\ncontent-length: ${length}\r\n\r\n`,
          ),
        );
        socket.once('data', (bytes) => {
          resolve(bytes.toString());
          socket.destroy();
        });
      });
      expect(answered).toMatch(/^HTTP\/1\.1 401 [^]*"code":"credentials_invalid"/u);
    }
    await nothingIsLeft();
  });

  it('does not hold up others, however many values it has', async () => {
    const lag = monitorEventLoopDelay({ resolution: 10 });
    const { key, token } = service.owner;
    const objects = `[${'{},'.repeat(counted(4, 20) * megabyte)}{}]`;
    const attacks = [
      ['nobody, lists of objects', objects],
      ['nobody, lists of lists', `[${'[],'.repeat(counted(4, 20) * megabyte)}[]]`],
      [
        'somebody, values beside rows',
        `{"key":"${key}","token":"${token}","find":{"a":[${'0,'.repeat(2 * megabyte)}0]}}`,
      ],
      ['somebody, one row', push(`[[${'0,'.repeat(2_000_000)}0]]`)],
      ['somebody, one cell', push(`[[[${'{},'.repeat(1_000_000)}0]]]`)],
      ['somebody, rows beyond all', push(`[${'[],'.repeat(5_400_000)}[]]`)],
      [
        'somebody, rows at their most',
        push(
          `[${Array(counted(1_000, 10_000))
            .fill(`[${'7,'.repeat(499)}7]`)
            .join(',')}]`,
          {},
        ),
      ],
    ] as const;
    for (const [name, body] of attacks) {
      lag.enable();
      const { status } = await ask('/0.1.0/data', body);
      lag.disable();
      process.stdout.write(
        `${name}: ${Math.round(body.length / megabyte)} MB, ${status}, longest pause ${Math.round(lag.max / 1e6)} ms\n`,
      );
      const said = name.endsWith('most') ? [200] : name.startsWith('nobody') ? [400, 401] : [400];
      expect([name, said.includes(status)]).toEqual([name, true]);
      expect(lag.max / 1e6).toBeLessThan(1000);
      lag.reset();
    }
    await nothingIsLeft();
  });

  it('waits unread while others of its address have the room, and takes it when they leave', async () => {
    const length = 60 * megabyte;
    const head = `POST /0.1.0/data HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n{"a":"`;
    const first = await new Promise<Socket>((resolve) => {
      const socket = connect(at.port, '127.0.0.1', () => socket.write(head, () => resolve(socket)));
      socket.on('error', () => undefined);
    });
    const { gauges } = service.app;
    while (gauges['inlay_bodies_reserved_bytes']() < length) await sleep(5);
    const second = ask('/0.1.0/data', push(rows('1', 8000)));
    while (gauges['inlay_bodies_waiting']() === 0) await sleep(5);
    // Small ones need no room.
    expect((await ask('/0.1.0/theme', '{"find":{}}', bearer())).status).toBe(200);
    first.destroy();
    expect((await second).status).toBe(200);
    await nothingIsLeft();
  });

  it('is read where its sender is known, while senders who are not known take all of their room from everywhere', async () => {
    const length = 60 * megabyte;
    const head = `POST /0.1.0/data HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n{"a":"`;
    const sockets = Array.from({ length: 18 }, (_, index) => {
      const socket = connect({ host: '127.0.0.1', port: at.port, localAddress: `127.0.0.${index + 2}` });
      return socket.on('error', () => undefined).on('connect', () => socket.write(head));
    });
    while (service.app.gauges['inlay_bodies_waiting']() === 0) await sleep(5);
    const { key, token } = service.owner;
    const body = push(rows('1', 200)).replace(`,"key":"${key}","token":"${token}"`, '');
    expect((await ask('/0.1.0/data', body, bearer())).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await nothingIsLeft();
  });

  it('is the same request again only with the same rows', async () => {
    const again = { 'idempotency-key': 'one large push' };
    const [one, other, changed] = [
      await ask('/0.1.0/data', push(rows()), again),
      await ask('/0.1.0/data', push(rows()), again),
      await ask('/0.1.0/data', push(rows('2')), again),
    ];
    expect([one.status, other.status, changed.status]).toEqual([200, 200, 409]);
    expect(part(other.body, 'id')).toBe(part(one.body, 'id'));
  });
});

const obj = (value: Json): object => (isObject(value) ? value : {});
