import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFailed, onTestFinished } from 'vitest';
import { isObject, type JsonObject } from '@inlay/contract';
import { call } from '../support/command.ts';
import { firstOwner } from '../support/load.ts';
import { startService } from '../support/process.ts';
import { freshDatabase, bothStores } from '../support/service.ts';
import { datasetIn } from '../support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-read-only-'));
const disk = join(folder, 'disk');
const image = join(folder, 'image');

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { stdio: 'pipe' }).toString().trim();

/**
 * Returns a disk of its own that the system makes read-only when it fails; returns where its failure is triggered,
 * undefined where there can be none.
 */
function mounted(): string | undefined {
  try {
    rmSync(image, { force: true });
    writeFileSync(image, '');
    truncateSync(image, 64 * 1024 ** 2);
    run('mkfs.ext4', ['-q', '-F', image]);
    mkdirSync(disk, { recursive: true });
    run('mount', ['-o', 'loop,errors=remount-ro', image, disk]);
    const device = run('findmnt', ['--noheadings', '--output', 'SOURCE', disk]).split('/').at(-1) ?? '';
    const trigger = `/sys/fs/ext4/${device}/trigger_fs_error`;
    if (existsSync(trigger)) return trigger;
    run('umount', ['-l', disk]);
    return undefined;
  } catch {
    return undefined;
  }
}
const unmount = (): void => {
  if (readFileSync('/proc/mounts', 'utf8').includes(` ${disk} `)) run('umount', ['-l', disk]);
};

const first = mounted();
if (first !== undefined) unmount();
else
  process.stdout.write(
    'a disk that fails under a running service is not tested: it takes root, mkfs.ext4 and a loop device\n',
  );

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(first === undefined).each(bothStores)(
  'a service whose disk becomes read-only refuses what it cannot store, answers the rest, and is whole afterwards, on %s',
  async (store) => {
    const trigger = mounted() ?? '';
    onTestFinished(unmount);
    const { credential: owner, settings } = firstOwner();
    const database: Readonly<Record<string, string>> =
      store === 'postgres' ? { INLAY_DATABASE_URL: await freshDatabase() } : {};
    const env = { ...settings, ...database, INLAY_DATA_DIR: join(disk, 'data') };
    let service = await startService({ env });
    const ask = (resource: string, body: JsonObject) => call(service.url, resource, { ...owner, ...body });
    const upload = async (query: string, body = 'a,b\n1,2\n') => {
      const headers = {
        authorization: `Bearer ${owner.key}:${owner.token}`,
        'content-type': 'text/csv',
        connection: 'close',
      };
      const answer = await fetch(`${service.url}/0.1.0/data/file?${query}`, { method: 'POST', headers, body });
      const read: unknown = await answer.json();
      return { status: answer.status, body: isObject(read) ? read : {} };
    };
    const { id } = datasetIn((await upload('name=Rows')).body);
    const measures = [{ dataset_id: id, column_id: '*', aggregation: { type: 'count' } }];
    const count = () => ask('data', { action: 'get', find: { dimensions: [], measures } });
    const push = (properties: JsonObject) => ask('data', { action: 'create', properties });
    const tag = () => ask('tag', { properties: { name: { en: 'x' } } });
    expect(await tag()).toMatchObject({ status: 200 });
    writeFileSync(trigger, '1');
    expect(readFileSync('/proc/mounts', 'utf8')).toMatch(new RegExp(`${disk} ext4 (?:ro|\\S*emergency_ro)`, 'u'));

    onTestFailed(() => void process.stdout.write(service.output()));
    const refused = { status: 503, body: { code: 'disk_unwritable' } };
    for (let round = 0; round < 2; round += 1) {
      expect(await upload('name=More')).toMatchObject(refused);
      expect(await upload(`type=append&securable_id=${id}`)).toMatchObject(refused);
      expect(await push({ type: 'create', data: [['a'], [1]], options: { header: true } })).toMatchObject(refused);
      expect(await push({ type: 'append', securable_id: id, data: [[3, 4]] })).toMatchObject(refused);
      expect(await tag()).toMatchObject(
        store === 'sqlite' ? { status: 503, body: { code: 'store_unavailable' } } : { status: 200 },
      );
      expect(await ask('tag', { action: 'get', find: {} })).toMatchObject({ status: 200 });
      expect(await count()).toMatchObject({ status: 200, body: { data: [[1]] } });
      const file = await ask('export', { properties: { type: 'svg', query: { dimensions: [], measures } } });
      expect(file.status).not.toBe(500);
    }
    expect(service.output()).not.toContain('a defect of ours');
    expect(await service.stop()).toBe(0);

    // As an operator repairs it.
    run('umount', [disk]);
    // Its code is 1 where it repaired something.
    run('sh', ['-c', 'fsck.ext4 -y -f "$0" || [ $? -eq 1 ]', image]);
    run('mount', ['-o', 'loop', image, disk]);
    service = await startService({ env });
    expect(await count()).toMatchObject({ status: 200, body: { data: [[1]] } });
    expect(await upload(`type=append&securable_id=${id}`)).toMatchObject({ status: 200 });
    expect(await count()).toMatchObject({ status: 200, body: { data: [[2]] } });
    expect(await service.stop()).toBe(0);
  },
  120_000,
);
