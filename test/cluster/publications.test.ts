import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timestamp } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FolderFiles } from '../../packages/service/src/cluster/folder-files.ts';
import { publicationPlaces } from '../../packages/service/src/cluster/open.ts';
import { openPublishedFiles, publishingFolder } from '../../packages/service/src/cluster/open-files.ts';
import { planPublications } from '../../packages/service/src/cluster/plan.ts';
import { createPublishJob, type PublicationPlaces } from '../../packages/service/src/cluster/publish.ts';
import { sweepPublications } from '../../packages/service/src/cluster/sweep.ts';
import { publishJob } from '../../packages/service/src/commands/publication.ts';
import { readConfig, type Config } from '../../packages/service/src/config/config.ts';
import { sql } from '../../packages/service/src/store/sql.ts';
import { useApi } from '../support/api.ts';
import { never } from '../support/engine.ts';
import { settled as settledRefresh } from '../support/accelerations.ts';
import { havePostgresServer, storesToTest } from '../support/service.ts';
import { S3Server } from '../support/s3-server.ts';
import { openShop } from '../support/shop-database.ts';
import { TableCluster } from '../support/table-cluster.ts';

const leastRows = 3;
const laterMs = 11 * 60_000;

const key = { keyId: 'AKIDEXAMPLE', secretKey: 'only/for+a/test' } as const;
const kinds = [...storesToTest.map((store) => [store, 'a folder'] as const), ['sqlite', 'an object store'] as const];

describe.each(kinds)('publications on %s in %s', (name, kind) => {
  const api = useApi(name, {
    INLAY_SORT_ROWS: 'false',
    INLAY_SYNC_METADATA: 'false',
    INLAY_ALLOW_PRIVATE_HOSTS: 'true',
  });
  const isFolder = kind === 'a folder';
  const cluster = new TableCluster();
  /** Folder of all files; in an object store, of its objects. */
  let folder = '';
  let objects: S3Server;
  let places: PublicationPlaces;
  let shiftMs = 0;
  const now = (): number => Date.now() + shiftMs;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'inlay-cluster-'));
    const { store } = api.service.app.service;
    mkdirSync(join(folder, 'rows'));
    objects = await new S3Server(folder, key).start();
    const config = settings('rows');
    places = await publicationPlaces({ config, store, newId: randomUUID }, cluster.connection);
  });
  afterAll(() => {
    objects.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const settings = (bucket: string): Config => {
    const files = {
      INLAY_CLUSTER_FILES: `s3://${bucket}/inlay`,
      INLAY_CLUSTER_LOCATION: `file://${folder}/rows/inlay`,
      INLAY_CLUSTER_S3_ENDPOINT: objects.endpoint,
      INLAY_CLUSTER_S3_KEY_ID: key.keyId,
      INLAY_CLUSTER_S3_SECRET_KEY: key.secretKey,
    };
    const env = {
      INLAY_CLUSTER: 'trino://inlay@127.0.0.1:1/lake/inlay',
      INLAY_DATA_DIR: api.service.dataDir,
      ...(isFolder ? { INLAY_CLUSTER_FILES: folder } : files),
    };
    return readConfig(env, () => '').config;
  };

  const store = () => api.service.app.service.store;
  const push = async (rows: number, more: object = {}): Promise<string> => {
    const data = Array.from({ length: rows }, (_, index) => [index, `t${index % 2}`]);
    return (await api.create('data', { type: 'create', data, ...more })).id;
  };
  const replace = (id: string, rows: number): Promise<unknown> =>
    api.create('data', { type: 'replace', securable_id: id, data: Array.from({ length: rows }, (_, n) => [n, 'r']) });
  const plan = (): Promise<number> => planPublications({ store: store(), leastRows, now });
  const sweep = (): Promise<number> =>
    sweepPublications({ store: store(), places: async () => places, now }, AbortSignal.timeout(60_000));

  /** Claims the planned jobs and runs each once. Returns the errors. */
  async function publish(signal = never): Promise<readonly unknown[]> {
    const job = createPublishJob({
      store: store(),
      engine: api.service.app.engine,
      newId: randomUUID,
      leastRows,
      places: async () => places,
    });
    const types = [{ type: publishJob, slots: 100, maxAttempts: job.maxAttempts }];
    const lease = randomUUID();
    const claim = { kind: 'job', step: 'claim', now: timestamp(now()), lease, leaseMs: 60_000, types } as const;
    const claimed = await store().write(claim);
    const errors: unknown[] = [];
    for (const each of claimed.kind === 'jobs' ? claimed.jobs : []) {
      const run = { job: each, signal, effectKey: '', progress: () => undefined };
      const result = await job.run(run).catch((error: unknown) => errors.push(error));
      const held = { id: each.id, lease };
      const outcome =
        result === null
          ? ({ kind: 'completed', dueAt: null, result: null } as const)
          : ({ kind: 'retry', dueAt: timestamp(now()), error: { code: 'internal', message: '' } } as const);
      await store().write({ kind: 'job', step: 'end', held, outcome });
    }
    return errors;
  }

  /** Versions that queries may read at the cluster, by dataset. */
  async function published(): Promise<ReadonlyMap<string, string>> {
    const rows = await store().rows(
      sql`select p.folder, p.version from publication p join securable s on s.id = p.folder and s.data_version = p.version
        where p.ready_at is not null and p.dropped_at is null`,
    );
    return new Map(rows.map((row) => [String(row['folder']), String(row['version'])]));
  }
  const filesOf = (id: string): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.includes(id) && path.endsWith('parquet'),
    );

  it('only datasets with enough rows are published', async () => {
    const [few, many] = [await push(2), await push(5)];
    expect(await plan()).toBe(1);
    expect(await publish()).toEqual([]);
    expect([...(await published()).keys()]).toEqual([many]);
    expect(filesOf(few)).toEqual([]);
    expect(filesOf(many)).toHaveLength(1);
    expect(cluster.tables.size).toBe(1);
    expect(await plan()).toBe(0);
  });

  it('a replaced version is not used any more, and is gone once its queries have ended', async () => {
    const id = await push(4);
    await plan();
    await publish();
    const [before] = [(await published()).get(id)];
    await replace(id, 6);
    expect((await published()).has(id)).toBe(false);
    await plan();
    await publish();
    expect((await published()).get(id)).not.toBe(before);
    expect(filesOf(id)).toHaveLength(2);
    expect(await sweep()).toBe(0);
    shiftMs += laterMs;
    expect(await sweep()).toBe(1);
    expect(filesOf(id)).toHaveLength(1);
    expect(cluster.tables.size).toBe((await published()).size);
  });

  it('a version that is replaced while it is written is not published', async () => {
    const id = await push(4);
    await plan();
    cluster.before = (statement) => (statement.startsWith('SELECT count') ? replace(id, 1) : undefined);
    expect(await publish()).toEqual([]);
    cluster.before = () => undefined;
    expect((await published()).has(id)).toBe(false);
    shiftMs += laterMs;
    await sweep();
    expect(filesOf(id)).toEqual([]);
    expect(cluster.tables.size).toBe((await published()).size);
  });

  it('a failure leaves nothing behind and is tried again', async () => {
    const id = await push(4);
    await plan();
    cluster.isDown = true;
    expect(await publish()).toMatchObject([{ data: { code: 'source_failed' } }]);
    expect(filesOf(id)).toEqual([]);
    expect((await published()).has(id)).toBe(false);
    cluster.isDown = false;
    expect(await publish()).toEqual([]);
    expect((await published()).has(id)).toBe(true);
    await sweep();
    expect(cluster.tables.size).toBe((await published()).size);
  });

  it('what a killed attempt has made is gone after the next sweep', async () => {
    const id = await push(4);
    await plan();
    const controller = new AbortController();
    cluster.before = (statement) => {
      // From here on nothing of the attempt works, as if its process had ended.
      if (statement.startsWith('SELECT count')) {
        controller.abort(new Error('killed'));
        cluster.isDown = true;
        throw new Error('killed');
      }
    };
    expect(await publish(controller.signal)).toHaveLength(1);
    cluster.before = () => undefined;
    cluster.isDown = false;
    expect((await published()).has(id)).toBe(false);
    await sweep();
    shiftMs += laterMs;
    await sweep();
    expect(cluster.tables.size).toBe((await published()).size);
    expect(filesOf(id)).toEqual([]);
  });

  it('the rows of deleted datasets are gone', async () => {
    const id = await push(4);
    await plan();
    await publish();
    expect(filesOf(id)).toHaveLength(1);
    await api.ok('securable', { action: 'delete', id });
    await sweep();
    shiftMs += laterMs;
    await sweep();
    expect(filesOf(id)).toEqual([]);
    expect(cluster.tables.size).toBe((await published()).size);
    expect(await store().rows(sql`select id from publication where folder = ${id}`)).toEqual([]);
  });

  it.runIf(havePostgresServer)('the copy of a dataset at a source is published like other rows', async () => {
    const shop = await openShop(api);
    const { id } = await api.create('acceleration', { securable_id: shop.datasetId });
    await settledRefresh(api, id);
    expect(await plan()).toBe(1);
    expect(await publish()).toEqual([]);
    expect(filesOf(id)).toHaveLength(1);
    const used = sql`select p.id from publication p join acceleration x on x.id = p.folder and x.copy_version = p.version
      where p.folder = ${id} and p.ready_at is not null and p.dropped_at is null`;
    expect(await store().rows(used)).toHaveLength(1);
    await api.remove('acceleration', id);
    await sweep();
    shiftMs += laterMs;
    await sweep();
    expect(filesOf(id)).toEqual([]);
  });

  it.runIf(isFolder)('a folder that cannot be written is named, and uploads go on', async () => {
    const id = await push(4);
    await plan();
    const working = places;
    writeFileSync(join(folder, 'file'), '');
    places = { ...places, files: new FolderFiles(join(folder, 'file'), 'file:///nowhere', 'x') };
    expect(await publish()).toMatchObject([
      { data: { code: 'source_failed', message: 'The folder INLAY_CLUSTER_FILES cannot be written (ENOTDIR).' } },
    ]);
    places = working;
    expect(await push(4)).not.toBe(id);
    await publish();
    expect((await published()).has(id)).toBe(true);
    shiftMs += laterMs;
    await sweep();
  });

  it.runIf(!isFolder)('an object store that refuses files is named, and no local file is left', async () => {
    const id = await push(4);
    await plan();
    const working = places;
    const files = await openPublishedFiles(settings('nowhere'), 'x');
    places = { ...places, files };
    const problem = 'The bucket does not exist (status 404). Create it, or correct INLAY_CLUSTER_FILES.';
    expect(await publish()).toMatchObject([{ data: { code: 'source_failed', message: problem } }]);
    expect(await files.check()).toMatchObject({ problem: 'the bucket does not exist (status 404)' });
    places = working;
    expect(await places.files.check()).toBe(null);
    objects.before = (request, answer) => {
      if (request.method === 'PUT') answer.writeHead(403).end();
      return request.method === 'PUT';
    };
    expect(await publish()).toMatchObject([{ data: { message: expect.stringContaining('may not use the bucket') } }]);
    objects.before = () => false;
    expect(readdirSync(publishingFolder(api.service.dataDir))).toEqual([]);
    await publish();
    expect((await published()).has(id)).toBe(true);
    shiftMs += laterMs;
    await sweep();
  });

  it('files and tables that nothing leads to are deleted, and no others', async () => {
    const kept = cluster.tables.size;
    const { names } = places.tables;
    const [orphanTable, orphanFiles, foreign] = [randomUUID(), randomUUID(), randomUUID()];
    cluster.tables.set(names.placeOf({ id: orphanTable }).at(-1) ?? '', '/nowhere');
    cluster.tables.set(`inlay_00000000_${foreign.replaceAll('-', '')}`, '/elsewhere');
    const orphan = { organizationId: api.organizationId, folder: randomUUID(), id: orphanFiles };
    const write = async (to: string): Promise<void> => writeFileSync(join(to, '000000.parquet'), 'x');
    await places.files.write(orphan, write, never);
    const root = isFolder ? folder : join(folder, 'rows/inlay');
    const other = join(root, 'of-another-store', 'a', 'b', 'c');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, '000000.parquet'), 'x');
    expect(filesOf(orphanFiles)).toHaveLength(1);
    expect(await sweep()).toBe(1);
    expect(filesOf(orphanFiles)).toEqual([]);
    expect(filesOf('of-another-store')).toHaveLength(1);
    rmSync(other, { recursive: true });
    expect([...cluster.tables.keys()].filter((table) => table.startsWith('inlay_00000000_'))).toHaveLength(1);
    expect(cluster.tables.size).toBe(kept + 1);
    cluster.tables.delete(`inlay_00000000_${foreign.replaceAll('-', '')}`);
  });

  it('a publication whose table is gone is not used any more, and made anew', async () => {
    const id = await push(4);
    await plan();
    await publish();
    const [row] = await store().rows(sql`select place from publication where folder = ${id}`);
    const place: readonly string[] = JSON.parse(String(row?.['place']));
    cluster.tables.delete(place.at(-1) ?? '');
    await sweep();
    expect((await published()).has(id)).toBe(false);
    expect(await plan()).toBe(1);
    await publish();
    expect((await published()).has(id)).toBe(true);
  });

  it('while the cluster is down, files are deleted and tables are deleted later', async () => {
    const id = await push(4);
    await plan();
    await publish();
    await api.ok('securable', { action: 'delete', id });
    await sweep();
    shiftMs += laterMs;
    cluster.isDown = true;
    await expect(sweep()).rejects.toMatchObject({ cause: 'refused' });
    expect(filesOf(id)).toEqual([]);
    cluster.isDown = false;
    await sweep();
    expect(cluster.tables.size).toBe((await published()).size);
  });
});
