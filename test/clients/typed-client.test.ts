import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient, createTransport, explain, Failure, type Client } from '@inlay/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../../packages/client/build-package.mjs';
import { oneStore, startTestService, type TestService } from '../support/service.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

describe('the typed client', () => {
  let service: TestService;
  let apiHost: string;
  let client: Client;

  beforeAll(async () => {
    service = await startTestService({ store: oneStore, settings: { INLAY_RATE_LIMIT: '0' } });
    apiHost = await service.server.listen({ host: '127.0.0.1', port: 0 });
    client = createClient(createTransport({ apiHost, credential: service.owner }));
  });
  afterAll(() => service.stop());

  it('creates, reads, updates, links and deletes records by their types', async () => {
    const group = await client.create('group', { name: { en: 'Sales' } });
    const tag = await client.create('tag', { tag: { en: 'Q1' } });
    expect((await client.update('group', group.id, { name: { en: 'Sales team' } })).name).toEqual({ en: 'Sales team' });
    const dashboard = await client.create('dashboard', { name: { en: 'Revenue' } });
    await client.associate('dashboard', dashboard.id, { role: 'Tags', id: tag.id });
    const [row] = await client.search('dashboard', { where: { id: dashboard.id }, include: [{ model: 'Tags' }] });
    expect(row).toMatchObject({ id: dashboard.id, tags: [{ id: tag.id }] });
    await client.dissociate('dashboard', dashboard.id, { role: 'Tags', id: tag.id });
    await client.delete('group', group.id);
    await expect(client.get('group', group.id)).rejects.toMatchObject({ code: 'not_found', status: 404 });
    expect((await client.get('dashboard', dashboard.id)).id).toBe(dashboard.id);
  });

  it('explains who sees what of a dashboard, by types', async () => {
    const { id } = await client.create('dashboard', { name: { en: 'Revenue' } });
    const { id: who } = await client.create('user', { email: 'grace@people.example', name: 'Grace' });
    const { subject, sees, level } = await explain(client, 'dashboard', id, { user_id: who });
    expect([subject.name, subject.rank, sees, level]).toEqual(['Grace', 'member', 'nothing', null]);
  });

  it('reads all records of a search, however many pages they take', async () => {
    const made: string[] = [];
    for (let start = 0; start < 1010; start += 101)
      made.push(
        ...(await Promise.all(
          Array.from({ length: 101 }, (_, index) => client.create('tag', { tag: { en: `tag ${start + index}` } })),
        ).then((tags) => tags.map(({ id }) => id))),
      );
    const read: string[] = [];
    for await (const { id } of client.all('tag', { attributes: ['id'] })) read.push(id);
    expect(read).toEqual(expect.arrayContaining(made));
    expect(new Set(read).size).toBe(read.length);
  });

  it('raises what the service refuses, with the places of the request that are wrong', async () => {
    const refused = client.update('group', 'no-id', { name: { en: 'x' } });
    await expect(refused).rejects.toBeInstanceOf(Failure);
    await expect(refused).rejects.toMatchObject({ status: 400, hint: expect.stringContaining('id') });
  });

  it('is a package that runs outside the workspace, with types', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inlay-client-'));
    try {
      const installed = join(folder, 'node_modules/@inlay/client');
      mkdirSync(installed, { recursive: true });
      await buildPackage(installed);
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
      const program = `import { createClient, createTransport } from '@inlay/client';
const client = createClient(createTransport({ apiHost: '${apiHost}', credential: ${JSON.stringify(service.owner)} }));
const { id } = await client.create('tag', { tag: { en: 'from outside' } });
const [tag] = await client.search('tag', { where: { id }, attributes: ['tag'] });
console.log(tag?.tag?.['en']);
`;
      writeFileSync(join(folder, 'program.js'), program);
      writeFileSync(join(folder, 'program.ts'), program);
      const { stdout } = await run(process.execPath, ['program.js'], { cwd: folder });
      expect(stdout).toBe('from outside\n');
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2024,dom'];
      const compiler = join(root, 'node_modules/typescript/bin/tsc');
      const compiled = await run(process.execPath, [compiler, ...options, 'program.ts'], { cwd: folder }).catch(
        (error: { readonly stdout?: string }) => ({ stdout: error.stdout ?? '' }),
      );
      expect(compiled.stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
