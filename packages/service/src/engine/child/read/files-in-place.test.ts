import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { FilesInPlace } from './files-in-place.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-in-place-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(['csv', 'ndjson', 'parquet'] as const)('a file that is gone is named, one of %s', async (format) => {
  const there = join(folder, `there.${format}`);
  writeFileSync(there, 'a,b\n1,2\n');
  const paths = [there, join(folder, `gone.${format}`)];
  await expect(new FilesInPlace(folder).open([{ kind: 'files', format, paths }])).rejects.toMatchObject({
    cause: 'input',
    detail: `gone.${format} is gone, or the user of the service may not read it`,
  });
});

it.skipIf(process.getuid?.() === 0)('a file that the service may not read is named', async () => {
  const path = join(folder, 'closed.csv');
  writeFileSync(path, 'a\n1\n', { mode: 0o000 });
  await expect(new FilesInPlace(folder).open([{ kind: 'files', format: 'csv', paths: [path] }])).rejects.toMatchObject({
    cause: 'input',
  });
});
