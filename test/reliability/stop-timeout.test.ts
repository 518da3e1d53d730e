import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { call } from '../support/command.ts';
import { rowsOf } from '../support/api.ts';
import { startPlugin } from '../support/plugin.ts';
import { startService } from '../support/process.ts';
import { text } from '../support/world.ts';

const parsed = (line: string): JsonObject => {
  const read: Json = JSON.parse(line);
  return isObject(read) ? read : {};
};

it('requests that a stop does not wait for are answered 503, or cut where their answer has begun, and the log says so', async () => {
  const owner = { key: randomUUID(), token: randomBytes(32).toString('hex') };
  const plugin = await startPlugin({ protocol: '2.0.0', token: 'good' });
  const service = await startService({
    env: {
      INLAY_BOOTSTRAP_KEY: owner.key,
      INLAY_BOOTSTRAP_TOKEN: owner.token,
      INLAY_STOP_TIMEOUT_S: '2',
      INLAY_ALLOW_PRIVATE_HOSTS: 'true',
    },
  });
  const make = async (resource: string, properties: object): Promise<JsonObject> => {
    const { status, body } = await call(service.url, resource, { ...owner, properties: { ...properties } });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const post = (path: string, headers: Record<string, string> = {}): ClientRequest => {
    const sent = request(`${service.url}/0.1.0/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${owner.key}:${owner.token}`,
        ...headers,
      },
    });
    sent.on('error', () => undefined);
    return sent;
  };
  const answerOf = async (sent: ClientRequest): Promise<IncomingMessage> => {
    const [answer]: IncomingMessage[] = await once(sent, 'response');
    if (answer === undefined) throw new Error('no answer came');
    return answer;
  };
  try {
    const { id: pluginId } = await make('plugin', {
      slug: 'apollo',
      base_url: plugin.url,
      authorize: 'token',
      protocol_version: '2.0.0',
    });
    const account = await make('account', { plugin_id: pluginId ?? '', provider: 'apollo', token: 'good' });
    const made = await make('dataprovider', { account_id: account['id'] ?? '', datasets: ['missions'] });
    const dataset_id = text(rowsOf(made)[0], 'id');
    plugin.set('/query', { kind: 'stall' });
    // Waits for a source, before anything is sent.
    const waiting = post('data');
    waiting.end(JSON.stringify({ action: 'get', find: { measures: [{ dataset_id, column_id: '*' }] } }));
    const waitingAnswer = answerOf(waiting);
    // Has begun its answer: the progress of an upload whose rest does not come.
    const begun = post('data/file?name=Rows', { 'content-type': 'text/csv', accept: 'application/x-ndjson' });
    begun.write(`a,b\n${'1,2\n'.repeat(3_000_000)}`);
    const begunAnswer = await answerOf(begun);
    begunAnswer.on('error', () => undefined);
    const begunEnd = new Promise((resolve) => begunAnswer.resume().once('close', resolve));
    await expect.poll(() => plugin.open()).toBe(1);
    service.kill('SIGTERM');
    const answer = await waitingAnswer;
    expect([answer.statusCode, answer.headers['connection'], answer.headers['content-type']]).toEqual([
      503,
      'close',
      'application/json; charset=utf-8',
    ]);
    expect(answer.headers['retry-after']).toBe('1');
    const body = parsed(await textOf(answer));
    expect(body).toMatchObject({ code: 'stopping', request_id: answer.headers['x-request-id'] });
    await begunEnd;
    expect(begunAnswer.complete).toBe(false);
    expect(await service.exited).toBe(0);
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map(parsed);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 40, refused: 1, cut: 1, msg: expect.stringContaining('INLAY_STOP_TIMEOUT_S') }),
    );
    const ended = lines.filter(({ ended_by }) => ended_by !== undefined);
    expect(ended.map(({ ended_by, status }) => [ended_by, status])).toEqual([
      ['stop', 503],
      ['stop', 200],
    ]);
    expect(ended[0]).toMatchObject({ request_id: body['request_id'], authorization: owner.key, dataset: dataset_id });
    expect(lines.filter(({ level }) => level === 50)).toEqual([]);
  } finally {
    service.kill('SIGKILL');
    await plugin.stop();
  }
});

it('a request whose client leaves is logged as ended by its client', async () => {
  const owner = { key: randomUUID(), token: randomBytes(32).toString('hex') };
  const service = await startService({
    env: { INLAY_BOOTSTRAP_KEY: owner.key, INLAY_BOOTSTRAP_TOKEN: owner.token },
  });
  try {
    const sent = request(`${service.url}/0.1.0/data/file?name=Rows`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv', authorization: `Bearer ${owner.key}:${owner.token}` },
    });
    sent.on('error', () => undefined);
    sent.write('a,b\n1,2\n');
    await once(sent, 'socket');
    await expect.poll(() => service.output()).toContain('Inlay listens');
    setTimeout(() => sent.destroy(), 200);
    await expect
      .poll(() =>
        service
          .output()
          .split('\n')
          .filter((line) => line.includes('"ended_by":"client"')),
      )
      .toEqual([expect.stringContaining('"status":null')]);
  } finally {
    await service.stop();
  }
});
