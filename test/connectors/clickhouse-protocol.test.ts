import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createZstdCompress, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { ConnectionParams, RunLimits } from '../../packages/service/src/connectors/connector.ts';
import { localConnectors } from './sources.ts';

interface StubRequest {
  readonly sql: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly connection: number;
}
type Answer = (response: ServerResponse, request: StubRequest) => void | Promise<void>;

const never = new AbortController().signal;
const limits: RunLimits = { rowLimit: 100, byteLimit: 1e9, deadlineMs: 20_000 };

/** An answer in the format that the connector asks for. */
const answerOf = (columns: Readonly<Record<string, string>>, rows: readonly (readonly unknown[])[]): string =>
  [Object.keys(columns), Object.values(columns), ...rows].map((line) => `${JSON.stringify(line)}\n`).join('');
const numbers = answerOf({ n: 'UInt64' }, [['1'], ['9007199254740993']]);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Profile {
  readonly version?: string;
  readonly readonly?: number;
  readonly seconds?: number;
  readonly bytes?: number;
}

/** A server that speaks the HTTP protocol of ClickHouse as far as a connector sees it. */
async function startStub(answer: Answer, profile: Profile = {}) {
  const requests: StubRequest[] = [];
  const connections = new Map<unknown, number>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(Buffer.from(piece));
    const body = Buffer.concat(pieces).toString();
    const query = new URL(request.url ?? '', 'http://stub').searchParams;
    const sql = query.get('query') ?? body;
    if (!connections.has(request.socket)) connections.set(request.socket, connections.size + 1);
    const stubRequest = {
      sql,
      query,
      headers: request.headers,
      body,
      connection: connections.get(request.socket) ?? 0,
    };
    requests.push(stubRequest);
    response.on('error', () => undefined);
    const { version = '26.9.2.1', readonly = 0, seconds = 0, bytes = 0 } = profile;
    const types = { version: 'String', readonly: 'Int64', seconds: 'Float64', bytes: 'Float64', year: 'UInt16' };
    if (sql.includes('version()')) response.end(answerOf(types, [[version, readonly, seconds, bytes, 9999]]));
    else if (sql.includes('system.table_functions'))
      response.end(answerOf({ name: 'String' }, [['numbers'], ['newOne']]));
    else await answer(response, stubRequest);
  };
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connectors = localConnectors(2);
  closing.push(
    () => connectors.close(),
    () => {
      server.closeAllConnections();
      server.close();
    },
  );
  const connector = connectors.of('clickhouse');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const params: ConnectionParams = {
    accountId: 'account',
    organizationId: 'organization',
    host: '127.0.0.1',
    port: String(port),
    scope: 'shop',
    identifier: 'reader',
    token: 'secret',
    properties: {},
  };
  const run = async (
    values: readonly (string | number | null)[] = [],
    by: RunLimits = limits,
    signal: AbortSignal = never,
    texts: readonly string[] = [],
  ) => {
    const result = await connector.run(params, { sql: 'select n from t', params: values, texts }, by, signal);
    const rows: unknown[] = [];
    for await (const batch of result.rows) rows.push(...batch);
    return { rows, truncated: result.truncated() };
  };
  const statements = (): readonly StubRequest[] =>
    requests.filter(({ sql }) => !/version\(\)|system\.table_functions/u.test(sql));
  return { connector, params, run, requests, statements, closeConnections: () => server.closeAllConnections() };
}

const fail = (response: ServerResponse, status: number, code: number): void => {
  response.writeHead(status, { 'X-ClickHouse-Exception-Code': String(code) });
  response.end(`Code: ${code}. DB::Exception: Something with a secret. (SOME_ERROR) (version 26.9.2.1)\n`);
};

describe('what is sent with a statement', () => {
  test('keeps it to reading, and to the limits of the query', async () => {
    const { run, statements } = await startStub((response) => void response.end(numbers));
    expect(await run()).toEqual({ rows: [[1], ['9007199254740993']], truncated: false });
    const [statement] = statements();
    const query = statement?.query;
    expect(statement?.sql).toBe('select n from t\nFORMAT JSONCompactEachRowWithNamesAndTypes');
    expect(query?.get('readonly')).toBe('1');
    expect(query?.get('database')).toBe('shop');
    expect(Number(query?.get('max_execution_time'))).toBeGreaterThan(1);
    expect(Number(query?.get('max_execution_time'))).toBeLessThanOrEqual(20.251);
    expect(query?.get('max_memory_usage')).toBe(String(4000 * 1024 ** 2));
    expect([query?.get('max_result_rows'), query?.get('result_overflow_mode')]).toEqual(['101', 'break']);
    expect(query?.get('cancel_http_readonly_queries_on_client_close')).toBe('1');
    expect(statement?.headers.authorization).toBe(`Basic ${Buffer.from('reader:secret').toString('base64')}`);
  });

  test('leaves stricter limits of the user in force, and a profile that reads only as it is', async () => {
    const answer: Answer = (response) => void response.end(numbers);
    const { run, statements } = await startStub(answer, { readonly: 2, seconds: 3, bytes: 1_000_000 });
    await run();
    const [{ query } = {}] = statements();
    expect(query?.get('readonly')).toBeNull();
    expect([query?.get('max_execution_time'), query?.get('max_memory_usage')]).toEqual(['3', '1000000']);
  });

  test('has long values in its body, escaped as the server reads them', async () => {
    const { run, statements } = await startStub((response) => void response.end(numbers));
    await run(["it's\t\\", 7]);
    await run(['x'.repeat(10_000)]);
    const [short, long] = statements();
    expect([short?.query.get('param_p1'), short?.query.get('param_p2')]).toEqual(["it\\'s\\t\\\\", '7']);
    expect(long?.query.get('param_p1')).toBeNull();
    expect(long?.headers['content-type']).toMatch(/^multipart\/form-data/u);
    expect(long?.body).toContain(`name="param_p1"\r\n\r\n${'x'.repeat(10_000)}\r\n`);
    expect(long?.sql).toContain('select n from t');
  });

  test('goes over one connection, one statement after the other', async () => {
    const { run, statements } = await startStub((response) => void response.end(numbers));
    for (let time = 0; time < 3; time += 1) await run();
    expect(new Set(statements().map(({ connection }) => connection)).size).toBe(1);
  });
});

test('a session outlives the call that opened it, and its connection', async () => {
  const { run, requests, closeConnections } = await startStub((response) => void response.end(numbers));
  const first = new AbortController();
  await run([], limits, first.signal);
  first.abort();
  closeConnections();
  await sleep(50);
  expect((await run()).rows).toHaveLength(2);
  expect(requests.filter(({ sql }) => sql.includes('version()'))).toHaveLength(1);
});

describe('a user', () => {
  test.each([
    ['whose profile lets no setting change', { readonly: 1 }, 'readonly = 1'],
    ['of a server that is too old', { version: '22.3.1.1' }, 'oldest supported one is 24.3'],
  ])('%s is told so', async (_, profile, message) => {
    const { run } = await startStub((response) => void response.end(numbers), profile);
    await expect(run()).rejects.toMatchObject({ cause: 'settings', message: expect.stringContaining(message) });
  });

  test.each([
    [['GRANT SELECT ON shop.* TO reader'], false],
    [['GRANT SELECT, CREATE TEMPORARY TABLE ON *.* TO reader', 'GRANT SELECT ON shop.insert TO reader'], false],
    [['GRANT SELECT, INSERT ON shop.orders TO reader'], true],
    [['GRANT ALL ON *.* TO reader WITH GRANT OPTION'], true],
  ])('with the grants %j may write: %s', async (grants, may) => {
    const { connector, params } = await startStub((response, { sql }) => {
      const rows = sql.includes('enabled_roles')
        ? [['writer`s']]
        : sql.includes(' for ')
          ? []
          : grants.map((line) => [line]);
      response.end(answerOf({ grant: 'String' }, rows));
    });
    expect(await connector.mayWrite(params, never)).toBe(may);
  });

  test('may write through a role, unless the profile forbids it', async () => {
    const answer: Answer = (response, { sql }) => {
      const ofRole = sql.includes('show grants for `writer`') ? [['GRANT INSERT ON shop.orders TO writer']] : [];
      response.end(answerOf({ grant: 'String' }, sql.includes('enabled_roles') ? [['writer']] : ofRole));
    };
    const { connector, params } = await startStub(answer);
    expect(await connector.mayWrite(params, never)).toBe(true);
    const reading = await startStub(answer, { readonly: 2 });
    expect(await reading.connector.mayWrite(reading.params, never)).toBe(false);
  });
});

test('a custom query calls no table function that only this server has', async () => {
  const { run, statements } = await startStub((response) => void response.end(numbers));
  await expect(run([], limits, never, ['select * from newOne(1)'])).rejects.toThrow('must not call NEWONE');
  await run([], limits, never, ['select * from numbers(1)']);
  expect(statements().map(({ sql }) => sql.split('\n')[0])).toEqual([
    'explain ast select * from numbers(1)',
    'select n from t',
  ]);
});

describe('an answer', () => {
  test('is compressed, and read as fast as its rows are taken', async () => {
    let sentRows = 0;
    // Digests, so that the answer hardly shrinks and what the sender can buffer shows in its bytes.
    const lineOf = (index: number): string => {
      const digest = createHash('sha512').update(String(index)).digest('hex');
      return `${JSON.stringify([digest.repeat(8)])}\n`;
    };
    const { connector, params } = await startStub((response, { headers, query }) => {
      expect([headers['accept-encoding'], query.get('enable_http_compression')]).toEqual(['zstd', '1']);
      response.writeHead(200, { 'Content-Encoding': 'zstd' });
      const compress = createZstdCompress();
      compress.pipe(response);
      compress.write(answerOf({ x: 'String' }, []));
      const write = (): void => {
        while (sentRows < 200_000) {
          sentRows += 1;
          if (!compress.write(lineOf(sentRows))) {
            compress.once('drain', write);
            return;
          }
        }
        compress.end();
      };
      write();
    });
    const statement = { sql: 'select x from t', params: [] };
    const { rows } = await connector.run(params, statement, { ...limits, rowLimit: 1_000_000 }, never);
    let taken = 0;
    for await (const batch of rows) {
      taken += batch.length;
      await sleep(100);
      if (taken > 1000) break;
    }
    // What sockets and decompression buffer ahead.
    expect(sentRows - taken).toBeLessThan(30_000);
  });

  test('may be preceded by the progress of a long query', async () => {
    const progress = Array.from({ length: 3000 }, (_, index) => `X-ClickHouse-Progress: {"read_rows":"${index}"}\r\n`);
    const { run, statements } = await startStub((response) => {
      response.socket?.write(
        `HTTP/1.1 200 OK\r\n${progress.join('')}Content-Length: ${numbers.length}\r\n\r\n${numbers}`,
      );
    });
    expect((await run()).rows).toHaveLength(2);
    expect(statements()[0]?.query.get('send_progress_in_http_headers')).toBe('1');
  });

  const tagged =
    '\r\n__exception__\r\nabcdef\r\nCode: 241. DB::Exception: Too much. (MEMORY_LIMIT_EXCEEDED)\n61 abcdef\r\n__exception__\r\n';
  test.each([
    ['in the frame of today', tagged, 'limit'],
    ['in a line of its own', 'Code: 159. DB::Exception: Timeout exceeded. (TIMEOUT_EXCEEDED)\n', 'timeout'],
    ['in words that no database says', '<html>\n', 'failed'],
  ])('that ends with an error %s is never taken for whole', async (_, text, cause) => {
    const { run } = await startStub((response) => {
      response.writeHead(200, { 'X-ClickHouse-Exception-Tag': 'abcdef' });
      response.write(numbers);
      response.write(text, () => response.destroy());
    });
    await expect(run()).rejects.toMatchObject({ cause });
  });

  test('that is cut off is never taken for whole', async () => {
    const { run } = await startStub((response) => {
      response.writeHead(200);
      response.write(numbers, () => response.destroy());
    });
    await expect(run()).rejects.toMatchObject({ cause: 'failed' });
  });

  test.each([
    [403, 516, 'credentials'],
    [403, 497, 'grant'],
    [404, 60, 'missing'],
    [400, 62, 'query'],
    [500, 241, 'limit'],
    [500, 159, 'timeout'],
    [503, 202, 'limit'],
    [500, 164, 'query'],
    [500, 279, 'unavailable'],
    [500, 999, 'failed'],
    [200, 47, 'missing'],
  ])('with status %i and code %i is explained, without words of the database', async (status, code, cause) => {
    const { run } = await startStub((response) => fail(response, status, code));
    await expect(run()).rejects.toMatchObject({ cause, message: expect.not.stringContaining('secret') });
  });

  test.each([
    [302, { Location: 'http://127.0.0.1:1/' }],
    [502, {}],
  ])('with status %i that is not of a database is a failure, and nothing is followed', async (status, headers) => {
    const { run, requests } = await startStub((response) => void response.writeHead(status, headers).end('<html>'));
    await expect(run()).rejects.toMatchObject({ cause: 'failed' });
    expect(requests).toHaveLength(3);
  });

  test('with an error that never ends is given up', async () => {
    const { run } = await startStub((response) => {
      response.writeHead(500);
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    await expect(run()).rejects.toMatchObject({ cause: 'failed' });
  });

  test('with a row that never ends is given up, however small it was sent', async () => {
    const { run } = await startStub((response) => {
      response.writeHead(200, { 'Content-Encoding': 'zstd' });
      const start = Buffer.from(`${answerOf({ x: 'String' }, [])}["`);
      response.end(zstdCompressSync(Buffer.concat([start, Buffer.alloc(300_000_000, 'x')])));
    });
    await expect(run()).rejects.toThrow('The query gives a row of more than 64 MB.');
  });
});

describe('a statement that is given up', () => {
  test('is ended at the server by its id, over another connection, and its own is closed', async () => {
    let isClosed = false;
    const { run, statements } = await startStub((response, { sql }) => {
      if (sql.startsWith('KILL')) response.end('waiting\tid\n');
      else response.once('close', () => (isClosed = true));
    });
    const given = new AbortController();
    const running = run([], limits, given.signal);
    await expect.poll(() => statements().length).toBe(1);
    given.abort();
    await expect(running).rejects.toMatchObject({ cause: 'aborted' });
    await expect.poll(() => statements().length).toBe(2);
    const [statement, kill] = statements();
    expect(kill?.sql).toContain('KILL QUERY WHERE query_id = {id:String} ASYNC');
    expect(kill?.query.get('param_id')).toBe(statement?.query.get('query_id'));
    expect(kill?.connection).not.toBe(statement?.connection);
    await expect.poll(() => isClosed).toBe(true);
  });

  test('is asked for again where the server has not begun it', async () => {
    const { run, statements } = await startStub((response, { sql }) => {
      if (sql.startsWith('KILL')) response.end('');
    });
    const given = new AbortController();
    const running = run([], limits, given.signal);
    await expect.poll(() => statements().length).toBe(1);
    given.abort();
    await expect(running).rejects.toMatchObject({ cause: 'aborted' });
    await expect.poll(() => statements().filter(({ sql }) => sql.startsWith('KILL')).length).toBe(3);
  });
});

test('a private server that does not encrypt is taken as it is, and refused where encryption is asked for', async () => {
  const { connector, params } = await startStub((response) => void response.end(answerOf({ name: 'String' }, [])));
  const stages = async (properties: ConnectionParams['properties']) => connector.test({ ...params, properties }, never);
  expect((await stages({}))[1]?.message).toBe('The connection is not encrypted.');
  for (const ssl of ['require', 'verify-full'])
    expect((await stages({ ssl })).at(-1)).toMatchObject({
      stage: 'tls',
      cause: 'tls',
      message: expect.stringContaining('8443'),
    });
});
