import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutbound, type FetchOptions, type Outbound } from '../../packages/service/src/outbound/index.ts';
import { makeCertificates } from './certificates.ts';
import { lateMs } from '../support/counts.ts';

const limits: FetchOptions = { deadlineMs: 2000, maxBytes: 1000 };

describe('a call to the outside', () => {
  const seen: IncomingMessage[] = [];
  const bodies: string[] = [];
  const certificates = makeCertificates();
  let base = '';
  let other = '';
  let outbound: Outbound;

  const pages: Readonly<Record<string, (response: ServerResponse) => void>> = {
    '/json': (response) => response.setHeader('content-type', 'application/json; charset=utf-8').end('{"a":"é"}'),
    '/html': (response) => response.setHeader('content-type', 'text/html').end('<p>'),
    '/wrong': (response) => response.writeHead(500, { 'content-type': 'text/html' }).end('sorry'),
    '/zip': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    '/long': (response) => response.writeHead(200, { 'content-length': '5000' }).end('x'.repeat(5000)),
    '/endless': (response) => {
      const timer = setInterval(() => response.write('x'.repeat(500)), 1);
      response.on('close', () => clearInterval(timer));
    },
    '/drip': (response) => {
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
    },
    '/silent': () => undefined,
    '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
    '/away': (response) => response.writeHead(302, { location: `${other}/json` }).end(),
    '/away-with-body': (response) => response.writeHead(307, { location: `${other}/json` }).end(),
    '/here': (response) => response.writeHead(307, { location: '/json' }).end(),
    '/nowhere': (response) => response.writeHead(302).end(),
    '/broken': (response) => response.socket?.destroy(),
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    seen.push(request);
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => bodies.push(body));
    (pages[request.url ?? ''] ?? ((missing) => missing.writeHead(404).end()))(response);
  };
  const { cert, key } = certificates.of('localhost');
  const servers = [
    createServer(answer),
    createServer(answer),
    createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) }, answer),
  ];
  let secure = '';

  beforeAll(async () => {
    const addresses = [];
    for (const server of servers) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      addresses.push(address !== null && typeof address === 'object' ? address.port : 0);
    }
    [base, other, secure] = [
      `http://127.0.0.1:${addresses[0]}`,
      `http://localhost:${addresses[1]}`,
      `https://localhost:${addresses[2]}`,
    ];
    outbound = createOutbound({ policy: { allowPrivateHosts: true, allowHosts: [] } });
  });
  afterAll(async () => {
    await outbound.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    certificates.remove();
  });

  const causeOf = (path: string, options: Partial<FetchOptions> = {}) =>
    outbound
      .fetch(base + path, { ...limits, ...options })
      .then(
        async (found) => {
          await found.text();
          return String(found.status);
        },
        (error: unknown) => (error instanceof Error ? error.cause : error),
      )
      .catch((error: unknown) => (error instanceof Error ? error.cause : error));

  test('gives status, headers and body', async () => {
    const found = await outbound.fetch(`${base}/json`, { ...limits, accept: ['application/json'] });
    expect([found.status, found.headers.get('content-type'), await found.text()]).toEqual([
      200,
      'application/json; charset=utf-8',
      '{"a":"é"}',
    ]);
  });

  test('has a time limit, whatever the other side does', async () => {
    for (const path of ['/silent', '/drip']) {
      const started = Date.now();
      expect(await causeOf(path, { deadlineMs: 300 })).toBe('timeout');
      expect(Date.now() - started).toBeLessThan(300 + lateMs);
    }
  });

  test('has a size limit, told or not', async () => {
    expect(await causeOf('/long')).toBe('size');
    expect(await causeOf('/endless')).toBe('size');
    expect(await causeOf('/long', { maxBytes: 5000 })).toBe('200');
  });

  test('takes only the types asked for, and nothing compressed', async () => {
    expect(await causeOf('/html', { accept: ['application/json'] })).toBe('type');
    expect(await causeOf('/wrong', { accept: ['application/json'] })).toBe('500');
    expect(await causeOf('/zip')).toBe('type');
  });

  test('can be given up, before and in between', async () => {
    expect(await causeOf('/silent', { signal: AbortSignal.abort() })).toBe('aborted');
    const given = new AbortController();
    setTimeout(() => given.abort(), 100);
    expect(await causeOf('/silent', { signal: given.signal })).toBe('aborted');
  });

  test('follows redirects only when asked to, and five at most', async () => {
    expect(await causeOf('/here')).toBe('307');
    expect(await causeOf('/here', { redirects: 1 })).toBe('200');
    seen.length = 0;
    expect(await causeOf('/loop', { redirects: 100 })).toBe('redirect');
    expect(seen).toHaveLength(6);
    expect(await causeOf('/nowhere', { redirects: 1 })).toBe('redirect');
  });

  test('takes nothing secret to another site', async () => {
    seen.length = 0;
    const headers = { Authorization: 'Bearer secret', Cookie: 'secret', 'X-Secret': 'secret', 'Accept-Language': 'de' };
    expect(await causeOf('/away', { redirects: 1, headers })).toBe('200');
    expect(seen.map((request) => request.headers.authorization)).toEqual(['Bearer secret', undefined]);
    expect(JSON.stringify(seen[1]?.headers)).not.toContain('secret');
    expect(seen[1]?.headers['accept-language']).toBe('de');
    expect(await causeOf('/away-with-body', { redirects: 1, method: 'POST', body: 'secret', headers })).toBe(
      'redirect',
    );
    bodies.length = 0;
    expect(await causeOf('/here', { redirects: 1, method: 'POST', body: 'again' })).toBe('200');
    expect(bodies).toEqual(['again', 'again']);
  });

  test('fails in words that hold nothing of the answer', async () => {
    expect(await causeOf('/broken')).toBe('failed');
    const problem: unknown = await outbound
      .fetch(`${base}/html`, { ...limits, accept: ['application/json'] })
      .catch((error: unknown) => error);
    expect(String(problem)).toBe('OutboundProblem: The answer is not application/json.');
  });

  test('over https trusts known authorities and those that are given, and checks the name', async () => {
    await expect(outbound.fetch(`${secure}/json`, limits)).rejects.toMatchObject({ cause: 'tls' });
    const policy = { allowPrivateHosts: true, allowHosts: [] };
    const trusting = createOutbound({ policy, ca: certificates.ca });
    expect((await trusting.fetch(`${secure}/json`, limits)).status).toBe(200);
    const named = createOutbound({
      policy,
      ca: certificates.ca,
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    const wrong = secure.replace('localhost', 'other.example');
    await expect(named.fetch(`${wrong}/json`, limits)).rejects.toMatchObject({ cause: 'tls' });
    await trusting.close();
    await named.close();
  });
});
