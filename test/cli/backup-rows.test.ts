import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { copyVersions, rowsBeside } from '../../packages/service/src/cli/rows/backup-rows.ts';
import { rowsIn } from '../../packages/service/src/cli/rows/version-check.ts';
import { storedVersions } from '../../packages/service/src/store/stored-versions.ts';
import { useApi } from '../support/api.ts';
import { startTestService } from '../support/service.ts';
import { part, text } from '../support/world.ts';
import { backupSqlite, restoreSqlite } from '../../packages/service/src/store/backup/backup.ts';
import { storeFile } from '../../packages/service/src/app/store/open-store.ts';

const api = useApi('sqlite', {});
const folder = mkdtempSync(join(tmpdir(), 'inlay-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Copies the rows of the datasets of the service; returns how many files were written. */
const copyRows = async (from: string, to: string): Promise<number> => {
  const { written, faults } = await copyVersions(from, to, await storedVersions(api.service.app.service.store));
  expect(faults).toEqual([]);
  return written.length;
};

it('rows of datasets are answered after a restore as before the backup', async () => {
  const data = [
    ['name', 'value'],
    ['a', 1],
    ['b', 2],
  ];
  const { id } = await api.create('data', { type: 'create', data, options: { header: true } });
  const [column] = await api.find('column', { where: { securable_id: id, source_name: 'value' } });
  const find = { measures: [{ dataset_id: id, column_id: text(column, 'id'), aggregation: { type: 'sum' } }] };
  const file = join(folder, 'backup.db');
  expect(await copyRows(rowsIn(api.service.dataDir), rowsBeside(file))).toBe(1);
  await backupSqlite(storeFile(api.service.dataDir), file);
  const restored = join(folder, 'restored');
  mkdirSync(dirname(storeFile(restored)), { recursive: true });
  restoreSqlite(file, storeFile(restored), { replace: false });
  expect(await copyRows(rowsBeside(file), rowsIn(restored))).toBe(1);
  expect(await copyRows(rowsBeside(file), rowsIn(restored))).toBe(0);
  const again = await startTestService({ store: 'sqlite', dataDir: restored });
  try {
    const answer = await again.call('data', { action: 'get', find }, api.owner);
    expect(part(answer.body, 'data'), JSON.stringify(answer.body)).toEqual([[3]]);
  } finally {
    await again.stop();
  }
  expect(existsSync(`${rowsBeside(file)}/${api.organizationId}/${id}`)).toBe(true);
});

it('rows that were appended are answered after a restore with those they were put onto', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => [`name ${index}`, 1]);
  const data = [['name', 'value'], ...rows];
  const { id } = await api.create('data', { type: 'create', data, options: { header: true } });
  for (const appended of [rows, rows, [['last', 1]]])
    await api.create('data', { type: 'append', securable_id: id, data: appended });
  const [column] = await api.find('column', { where: { securable_id: id, source_name: 'value' } });
  const find = { measures: [{ dataset_id: id, column_id: text(column, 'id'), aggregation: { type: 'sum' } }] };
  const versions = readdirSync(join(rowsIn(api.service.dataDir), api.organizationId, id));
  expect(versions.filter((name) => name.endsWith('.parts'))).not.toEqual([]);
  const file = join(folder, 'parts.db');
  await copyRows(rowsIn(api.service.dataDir), rowsBeside(file));
  await backupSqlite(storeFile(api.service.dataDir), file);
  const restored = join(folder, 'parts');
  mkdirSync(dirname(storeFile(restored)), { recursive: true });
  restoreSqlite(file, storeFile(restored), { replace: false });
  await copyRows(rowsBeside(file), rowsIn(restored));
  const again = await startTestService({ store: 'sqlite', dataDir: restored });
  try {
    const answer = await again.call('data', { action: 'get', find }, api.owner);
    expect(part(answer.body, 'data'), JSON.stringify(answer.body)).toEqual([[30_001]]);
  } finally {
    await again.stop();
  }
});
