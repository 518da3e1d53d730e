import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fetchFrom } from '../../packages/service/src/outbound/index.ts';
import { Bucket, type BucketAccess } from '../../packages/service/src/s3/bucket.ts';
import { never } from '../support/engine.ts';
import { S3Server, signatureOf } from '../support/s3-server.ts';

const key = { keyId: 'AKIDEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

it('signatures are those of an example that AWS has published', () => {
  const request = {
    method: 'GET',
    target: '/?max-keys=2&prefix=J',
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
    },
  };
  const signed = ['host', 'x-amz-content-sha256', 'x-amz-date'];
  expect(signatureOf(request, { region: 'us-east-1', signed }, 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY')).toBe(
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
});

describe('a bucket', () => {
  let folder = '';
  let server: S3Server;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'inlay-bucket-'));
    mkdirSync(join(folder, 'rows'));
    server = await new S3Server(folder, key).start();
  });
  afterAll(() => {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    server.before = () => false;
    server.requests.length = 0;
  });

  const open = (more: Partial<BucketAccess> = {}, now = Date.now, requestMs?: number): Bucket => {
    const access = { endpoint: server.endpoint, region: 'us-east-1', bucket: 'rows', ...key, ...more };
    const context = { outbound: fetchFrom(access.endpoint), now };
    return new Bucket(access, requestMs === undefined ? context : { ...context, requestMs });
  };
  const file = (bytes: Buffer): string => {
    const path = join(folder, 'file');
    writeFileSync(path, bytes);
    return path;
  };
  const keysOf = (bucket: Bucket, prefix: string): Promise<readonly string[]> => bucket.list(prefix, never);
  const answering = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) => {
    server.before = (_, answer: ServerResponse) => {
      answer.writeHead(status, headers).end(text);
      return true;
    };
  };

  it('stores files, lists them page by page, and deletes them', async () => {
    const bucket = open();
    const bytes = randomBytes(300_000);
    const keys = ['a/1.parquet', 'a/2.parquet', 'a/3.parquet', 'b/1.parquet'];
    for (const each of keys) await bucket.put(each, file(bytes), never);
    await bucket.put('empty', file(Buffer.alloc(0)), never);
    expect(readFileSync(join(folder, 'rows/a/2.parquet')).equals(bytes)).toBe(true);
    expect(await keysOf(bucket, 'a/')).toEqual(keys.slice(0, 3));
    expect(server.requests.filter((each) => each.includes('continuation-token'))).toHaveLength(1);
    for (const each of await keysOf(bucket, '')) await bucket.delete(each, never);
    await bucket.delete('a/1.parquet', never);
    expect(server.keysIn('rows')).toEqual([]);
  });

  it.each([
    [{ secretKey: 'wrong' }, 'The object store does not accept the access key (status 403).'],
    [{ keyId: 'wrong' }, 'The object store does not accept the access key (status 403).'],
    [{ bucket: 'nowhere' }, 'The bucket does not exist (status 404).'],
    [{ region: 'eu-west-1' }, 'The bucket is in another region (status 400).'],
  ])('that refuses %j says why', async (more, message) => {
    const bucket = open(more);
    const refused = { data: { code: 'source_failed', message: expect.stringContaining(message) } };
    await expect(bucket.check('', never)).rejects.toMatchObject(refused);
    await expect(bucket.put('x', file(randomBytes(10)), never)).rejects.toMatchObject(refused);
    await expect(bucket.delete('x', never)).rejects.toMatchObject(refused);
    expect(server.keysIn('rows')).toEqual([]);
  });

  it('of a store whose clock differs says so', async () => {
    const bucket = open({}, () => Date.now() - 3_600_000);
    await expect(bucket.check('', never)).rejects.toThrow('The clock of this machine differs too much');
  });

  it.each([
    [403, '<Error><Code>AccessDenied</Code></Error>', 'The access key may not use the bucket (status 403).'],
    [403, 'no XML', 'The access key may not use the bucket (status 403).'],
    [301, '<Error><Code>PermanentRedirect</Code></Error>', 'The bucket is in another region (status 301).'],
    [418, '<Error><Code>Teapot</Code></Error>', 'The object store refuses a request (status 418).'],
    [200, '', 'The answer is not one of an object store.'],
    [200, '<html><body>welcome', 'The answer is not one of an object store.'],
    [200, '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>', 'The answer is not one'],
    [200, `${'<a>'.repeat(100)}`, 'The answer is not one of an object store.'],
    [200, `<ListBucketResult><Prefix>${'x'.repeat(5_000_000)}`, 'The answer is not one of an object store.'],
    [
      200,
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><ListBucketResult><Contents><Key>&b;</Key></Contents></ListBucketResult>',
      'The answer is not one of an object store.',
    ],
  ])('that answers %i and %.60s says why', async (status, text, message) => {
    answering(status, text);
    await expect(open().check('', never)).rejects.toThrow(message);
    expect(server.requests).toHaveLength(1);
  });

  it('whose listing has no end is not read for ever', async () => {
    let page = 0;
    server.before = (_, answer) => {
      page += 1;
      answer.end(
        `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${page}</NextContinuationToken></ListBucketResult>`,
      );
      return true;
    };
    await expect(keysOf(open(), '')).rejects.toThrow('The answer is not one of an object store.');
    expect(page).toBeLessThanOrEqual(1001);
  });

  it('whose listing has other keys than those of the prefix does not show them', async () => {
    answering(
      200,
      '<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a/1</Key></Contents><Contents><Key>b/1</Key></Contents></ListBucketResult>',
    );
    expect(await keysOf(open(), 'a/')).toEqual(['a/1']);
  });

  it.each(['GET', 'PUT'])('that redirects %s to another address is not followed', async (method) => {
    let reached = 0;
    const other = createServer((_, answer) => {
      reached += 1;
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    answering(307, '', { location: `http://127.0.0.1:${port}/private` });
    const call = method === 'GET' ? open().check('', never) : open().put('x', file(randomBytes(10)), never);
    await expect(call).rejects.toThrow('The bucket is in another region (status 307).');
    expect(reached).toBe(0);
    other.close();
  });

  it('is reached at its own address alone', async () => {
    const { fetch } = fetchFrom('http://127.0.0.1:1');
    const call = { deadlineMs: 1000, maxBytes: 1000 } as const;
    for (const address of [server.endpoint, 'https://127.0.0.1:1', 'http://localhost:1'])
      await expect(fetch(address, call)).rejects.toMatchObject({ cause: 'forbidden_address' });
    expect(server.requests).toEqual([]);
  });

  it('is asked again where it is overloaded or the connection breaks', async () => {
    let failures = 2;
    server.before = (request, answer) => {
      failures -= 1;
      if (failures === 1) answer.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
      else if (failures === 0) request.socket.destroy();
      return failures >= 0;
    };
    const bytes = randomBytes(100_000);
    await open().put('again', file(bytes), never);
    expect(readFileSync(join(folder, 'rows/again')).equals(bytes)).toBe(true);
    await open().delete('again', never);
  });

  it('that does not answer is given up in time, and at once on request', async () => {
    server.before = () => true;
    await expect(open({}, Date.now, 50).check('', never)).rejects.toThrow(
      'The object store does not answer in time. Check that it runs',
    );
    const controller = new AbortController();
    const call = open().check('', controller.signal);
    controller.abort(new Error('stopped'));
    await expect(call).rejects.toThrow('stopped');
  });

  it('at an address where nothing answers says so', async () => {
    const other = await new S3Server(folder, key).start();
    const { endpoint } = other;
    other.stop();
    await expect(open({ endpoint }).check('', never)).rejects.toThrow('The object store cannot be reached.');
  });

  it('never shows its secret in an error', async () => {
    for (const more of [{ keyId: 'wrong' }, { bucket: 'nowhere' }, { secretKey: 'geheim' }]) {
      const error: unknown = await open(more)
        .check('', never)
        .catch((reason: unknown) => reason);
      const shown = `${String(error)} ${JSON.stringify(error)} ${error instanceof Error ? error.stack : ''}`;
      expect(shown).not.toContain(key.secretKey);
      expect(shown).not.toContain('geheim');
    }
  });
});
