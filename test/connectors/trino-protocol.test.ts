import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { ConnectionParams, RunLimits, SourceStatement } from '../../packages/service/src/connectors/connector.ts';
import { lateMs } from '../support/counts.ts';
import { localConnectors } from './sources.ts';

interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a statement is answered with: a page, a status other than 200, or nothing. */
type Reply = Readonly<Record<string, unknown>> | number | 'nothing' | 'closed';

const never = new AbortController().signal;
const limits: RunLimits = { rowLimit: 100, byteLimit: 1e9, deadlineMs: 20_000 };
const columns = [{ name: 'n', type: 'bigint' }];
const lost = { errorName: 'PAGE_TRANSPORT_TIMEOUT', errorType: 'INTERNAL_ERROR', message: 'with a secret' };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/**
 * A cluster that speaks the protocol as far as a connector sees it. It answers statements with the replies in turn: the
 * first to the POST, the others to the requests for further pages.
 */
async function startStub(replies: readonly Reply[], signIn = 400) {
  const requests: StubRequest[] = [];
  const remaining = [...replies];
  const send = (response: ServerResponse, reply: Reply | undefined): void => {
    if (reply === 'nothing') return;
    if (reply === 'closed') response.destroy();
    else if (typeof reply === 'number') response.writeHead(reply, { Location: 'http://127.0.0.1:1/' }).end('{}');
    else response.end(JSON.stringify({ id: 'query', stats: {}, ...reply }).replaceAll(/"(\d{16,})n"/gu, '$1'));
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(Buffer.from(piece));
    const body = Buffer.concat(pieces).toString();
    const { method = '', url = '', headers } = request;
    requests.push({ method, path: url, headers, body });
    response.on('error', () => undefined).setHeader('content-type', 'application/json');
    if (method === 'POST' && body === '') send(response, signIn);
    else if (method === 'DELETE') send(response, {});
    else send(response, remaining.shift());
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
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const params: ConnectionParams = {
    accountId: 'account',
    organizationId: 'organization',
    host: '127.0.0.1',
    port: String(port),
    scope: 'lake',
    identifier: 'reader',
    token: 'secret',
    properties: { schema: 'shop' },
  };
  const connector = connectors.of('trino');
  const run = async (
    statement: Partial<SourceStatement> = {},
    by: RunLimits = limits,
    signal: AbortSignal = never,
    to: ConnectionParams = params,
  ) => {
    const answer = await connector.run(to, { sql: 'select n from t', params: [], ...statement }, by, signal);
    const rows: unknown[] = [];
    for await (const batch of answer.rows) rows.push(...batch);
    return rows;
  };
  const sent = (): readonly StubRequest[] =>
    requests.filter(({ body, method }) => method !== 'POST' || body.includes('EXECUTE'));
  return { connector, params, run, requests, sent, closeConnections: () => server.closeAllConnections() };
}
const next = (token: number): string => `http://coordinator.internal:9/v1/statement/executing/query/slug/${token}`;

describe('a statement', () => {
  test('has its values as literals, and names user, tenant and time limit', async () => {
    const { run, sent } = await startStub([{ columns, data: [[1]] }]);
    expect(await run({ sql: 'select n from t where n = cast(? as varchar)', params: ["it's"] })).toEqual([[1]]);
    const [{ body, headers } = { body: '', headers: {} }] = sent();
    expect(body).toBe("EXECUTE IMMEDIATE 'select n from t where n = cast(? as varchar)' USING 'it''s'");
    expect(headers).toMatchObject({
      'x-trino-user': 'reader',
      'x-trino-catalog': 'lake',
      'x-trino-schema': 'shop',
      'x-trino-source': 'Inlay',
      'x-trino-time-zone': 'UTC',
      'x-trino-client-tags': 'inlay,organization=organization',
      'x-trino-session': expect.stringMatching(/^query_max_run_time=\d{4,5}ms$/u),
      authorization: `Basic ${Buffer.from('reader:secret').toString('base64')}`,
    });
  });

  test('is signed in with a JSON web token if the account says so', async () => {
    const { run, sent, params } = await startStub([{ columns, data: [[1]] }]);
    await run({}, limits, never, { ...params, token: 'a.b.c', properties: { authentication: 'jwt' } });
    expect(sent()[0]?.headers.authorization).toBe('Bearer a.b.c');
  });

  test('that is explained has the prefix before the statement with values', async () => {
    const { run, sent, connector } = await startStub([{ columns, data: [] }]);
    await run({ sql: `${connector.traits.explain}select ?`, params: ['a'] });
    expect(sent()[0]?.body).toBe("explain (format json) EXECUTE IMMEDIATE 'select ?' USING 'a'");
  });
});

describe('an answer', () => {
  test('is read page by page from the host of the account, whatever host the pages name', async () => {
    const { run, sent } = await startStub([
      { nextUri: next(1) },
      { nextUri: next(2), columns },
      { nextUri: next(3), columns, data: [[1], ['9007199254740993n']] },
      { columns, data: [[-3]] },
    ]);
    expect(await run()).toEqual([[1], ['9007199254740993'], [-3]]);
    expect(sent().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/statement',
      ...[1, 2, 3].map((token) => `GET /v1/statement/executing/query/slug/${token}`),
    ]);
  });

  test.each(['http://127.0.0.1:1/other', 'nonsense', 'http://host/v1/statement/../../admin', 7])(
    'that leads to %s is followed nowhere',
    async (nextUri) => {
      const { run, sent } = await startStub([{ nextUri, columns, data: [[1]] }]);
      await expect(run()).rejects.toMatchObject({ cause: 'failed' });
      expect(sent()).toHaveLength(1);
    },
  );

  test('has every digit, also of numbers within texts that look like numbers', async () => {
    const types = ['bigint', 'decimal(38,2)', 'double', 'varchar', 'timestamp(6)', 'date', 'boolean'];
    const { run } = await startStub([
      {
        columns: types.map((type, index) => ({ name: `c${index}`, type })),
        data: [
          [
            '9007199254740993n',
            '12345678901234567890.10',
            0.1,
            '[9007199254740993]',
            '2024-02-29 12:34:56.789012',
            '2024-02-29',
            true,
          ],
          [1, null, 'NaN', '"', '+12000-01-01 00:00:00.000000', '-0044-03-15', null],
        ],
      },
    ]);
    expect(await run()).toEqual([
      [
        '9007199254740993',
        '12345678901234567890.10',
        0.1,
        '[9007199254740993]',
        '2024-02-29T12:34:56.789012Z',
        '2024-02-29',
        true,
      ],
      [1, null, null, '"', '+012000-01-01T00:00:00.000000Z', '-000044-03-15', null],
    ]);
  });

  test('that is cut off is never taken for whole', async () => {
    const { run } = await startStub([{ nextUri: next(1), columns, data: [[1]] }, 'closed']);
    await expect(run()).rejects.toMatchObject({ cause: 'failed' });
  });

  test('of a busy coordinator is asked for again', async () => {
    const { run, sent } = await startStub([503, { nextUri: next(1), columns }, 502, 429, { columns, data: [[1]] }]);
    expect(await run()).toEqual([[1]]);
    expect(sent()).toHaveLength(5);
  });

  test.each([
    [401, 'credentials'],
    [403, 'grant'],
    [302, 'failed'],
    [500, 'failed'],
    [404, 'failed'],
  ])('with status %i is explained', async (status, cause) => {
    const { run } = await startStub([status]);
    await expect(run()).rejects.toMatchObject({ cause, message: expect.stringMatching(/^[A-Z].*\.$/u) });
  });

  test.each([
    ['PERMISSION_DENIED', 'USER_ERROR', 'grant'],
    ['TABLE_NOT_FOUND', 'USER_ERROR', 'missing'],
    ['SYNTAX_ERROR', 'USER_ERROR', 'query'],
    ['SOMETHING_NEW', 'USER_ERROR', 'query'],
    ['EXCEEDED_LOCAL_MEMORY_LIMIT', 'INSUFFICIENT_RESOURCES', 'limit'],
    ['SOMETHING_NEW', 'INSUFFICIENT_RESOURCES', 'limit'],
    ['EXCEEDED_TIME_LIMIT', 'INSUFFICIENT_RESOURCES', 'timeout'],
    ['SERVER_STARTING_UP', 'INTERNAL_ERROR', 'unavailable'],
    ['SOMETHING_NEW', 'EXTERNAL', 'failed'],
  ])('with the error %s of %s is explained, without words of the cluster', async (errorName, errorType, cause) => {
    const { run } = await startStub([{ error: { errorName, errorType, message: 'with a secret' } }]);
    await expect(run()).rejects.toMatchObject({ cause, message: expect.not.stringContaining('secret') });
  });
});

describe('a node of the cluster that fails during a statement', () => {
  test('is made up for by sending the statement again, once', async () => {
    const { run, sent } = await startStub([{ nextUri: next(1), columns }, { error: lost }, { columns, data: [[1]] }]);
    expect(await run()).toEqual([[1]]);
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  test('is a problem in words if it happens twice', async () => {
    const { run, sent } = await startStub([{ error: lost }, { error: lost }, { columns, data: [[1]] }]);
    await expect(run()).rejects.toMatchObject({
      cause: 'unavailable',
      message: expect.stringContaining('one of its nodes'),
    });
    expect(sent()).toHaveLength(2);
  });

  test('fails the statement once rows have been read, which must not come twice', async () => {
    const { run, sent } = await startStub([{ nextUri: next(1), columns, data: [[1]] }, { error: lost }]);
    await expect(run()).rejects.toMatchObject({ cause: 'unavailable' });
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('is made up for if the coordinator has restarted and forgotten the statement', async () => {
    const { run } = await startStub([{ nextUri: next(1), columns }, 404, { columns, data: [[1]] }]);
    expect(await run()).toEqual([[1]]);
  });

  test('that hangs ends with the deadline of the query, and with the statement', async () => {
    const { run, sent } = await startStub([{ nextUri: next(1), columns }, 'nothing']);
    const started = Date.now();
    await expect(run({}, { ...limits, deadlineMs: 500 })).rejects.toMatchObject({ cause: 'timeout' });
    expect(Date.now() - started).toBeLessThan(500 + lateMs);
    await expect.poll(() => sent().at(-1)?.method).toBe('DELETE');
  });
});

describe('a coordinator that stops answering', () => {
  const page = { columns, data: [[1]] };

  test.each([
    ['the statement', ['nothing', page]],
    ['a further page', [{ nextUri: next(1), columns }, 'nothing', page]],
  ] as const)(
    'after %s fails the query long before its deadline, and is tried with a new session',
    async (_, replies) => {
      const { run, params, requests } = await startStub(replies);
      const to = { ...params, answerMs: 200 };
      const patient = { ...limits, deadlineMs: 3_600_000 };
      await expect(run({}, patient, never, to)).rejects.toMatchObject({ cause: 'timeout' });
      expect(await run({}, patient, never, to)).toEqual([[1]]);
      expect(requests.filter(({ method, body }) => method === 'POST' && body === '')).toHaveLength(2);
    },
  );
});

describe('a statement that is given up', () => {
  test('is ended at the cluster by the address of its next page', async () => {
    const { run, sent } = await startStub([{ nextUri: next(1), columns }, 'nothing']);
    const given = new AbortController();
    const running = run({}, limits, given.signal);
    await expect.poll(() => sent().length).toBe(2);
    given.abort();
    await expect(running).rejects.toMatchObject({ cause: 'aborted' });
    await expect
      .poll(() => sent().at(-1))
      .toMatchObject({
        method: 'DELETE',
        path: '/v1/statement/executing/query/slug/1',
      });
  });

  test('because it has more rows than are wanted is ended, and the session is used again', async () => {
    const { run, requests } = await startStub([
      { nextUri: next(1), columns, data: [[1], [2], [3]] },
      { columns, data: [[4]] },
      { columns, data: [[5]] },
    ]);
    expect(await run({}, { ...limits, rowLimit: 2 })).toEqual([[1], [2]]);
    await expect.poll(() => requests.some(({ method }) => method === 'DELETE')).toBe(true);
    await run();
    expect(requests.filter(({ method, body }) => method === 'POST' && body === '')).toHaveLength(1);
  });
});

test('a password that is refused over a connection without encryption is explained', async () => {
  const { run } = await startStub([401]);
  await expect(run()).rejects.toThrow('over encrypted connections only');
});

test('a session outlives the call that opened it, and its connection', async () => {
  const page = { columns, data: [[1]] };
  const { run, requests, closeConnections } = await startStub([page, page]);
  const first = new AbortController();
  await run({}, limits, first.signal);
  first.abort();
  closeConnections();
  await sleep(50);
  expect(await run()).toEqual([[1]]);
  expect(requests.filter(({ method, body }) => method === 'POST' && body === '')).toHaveLength(1);
});

describe('an account', () => {
  test.each([
    [{ identifier: 'Zoë' }, 'user name'],
    [{ scope: 'läke' }, 'catalog'],
    [{ token: 'ü', properties: { authentication: 'jwt' } }, 'token'],
  ])('with %j is told what a cluster cannot receive', async (changes, what) => {
    const { run, params, requests } = await startStub([]);
    await expect(run({}, limits, never, { ...params, ...changes })).rejects.toMatchObject({
      cause: 'settings',
      message: `The ${what} of the connection has a character that a cluster cannot receive.`,
    });
    expect(requests).toEqual([]);
  });

  test.each([
    [401, 'credentials'],
    [403, 'grant'],
    [500, 'failed'],
  ])('that the cluster refuses with status %i may not sign in', async (status, cause) => {
    const { connector, params } = await startStub([], status);
    const stages = await connector.test(params, never);
    expect(stages.at(-1)).toMatchObject({ ok: false, cause });
  });

  test('that asks for encryption is refused where the cluster offers none', async () => {
    const { connector, params } = await startStub([]);
    for (const ssl of ['require', 'verify-full'])
      expect((await connector.test({ ...params, properties: { ssl } }, never)).at(-1)).toMatchObject({
        stage: 'tls',
        cause: 'tls',
        message: expect.stringContaining('8443'),
      });
  });
});

test('a custom query is checked by the cluster as a statement of its own, once', async () => {
  const page = { columns, data: [[1]] };
  const { run, requests } = await startStub([page, page, page]);
  const texts = ['select 1 as n'];
  await run({ texts });
  await run({ texts });
  expect(requests.filter(({ body }) => body === 'explain (type validate) select 1 as n')).toHaveLength(1);
});
