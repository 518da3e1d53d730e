import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneStore, startTestService, type TestService } from '../support/service.ts';

describe('a body that is too large', () => {
  let service: TestService;
  const at = { port: 0 };
  beforeAll(async () => {
    service = await startTestService({ store: oneStore });
    await service.server.listen({ host: '127.0.0.1', port: 0 });
    const address: AddressInfo | string | null = service.server.server.address();
    at.port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterAll(() => service?.stop());
  const body = Buffer.from(JSON.stringify({ find: { where: { name: 'x'.repeat(20_000_000) } } }));

  /** As clients do that write all of the body before they read, over a connection of one request. */
  const send = (): Promise<readonly [number | undefined, string]> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length, connection: 'close' };
      const sent = request({ host: '127.0.0.1', port: at.port, method: 'POST', path: '/0.1.0/tag', headers });
      sent.on('error', reject);
      sent.on('response', (answer) => {
        text(answer).then((read) => resolve([answer.statusCode, read]), reject);
      });
      sent.end(body);
    });

  it('is answered 413 with the limit, and its sender reads the answer', async () => {
    for (let count = 0; count < 10; count += 1) {
      const [status, answer] = await send();
      expect([status, answer]).toEqual([413, expect.stringContaining('larger than 1 MB, the limit of this address')]);
    }
    for (let count = 0; count < 10; count += 1) {
      const answer = await fetch(`http://127.0.0.1:${at.port}/0.1.0/tag`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect([answer.status, await answer.json()]).toEqual([413, expect.objectContaining({ code: 'body_too_large' })]);
    }
  });
});
