import { readdir, readFile } from 'node:fs/promises';
import { timestamp } from '@inlay/contract';
import type { Command, WriteResult } from '../commands/command.ts';
import { sql } from '../store/sql.ts';
import type { Reader, Store } from '../store/store.ts';

const dayMs = 24 * 3_600_000;

/** True if a file name contains a content hash. An open page requests the files of the build that loaded it. */
const isChunk = (name: string): boolean => /^chunk-[\w.-]+\.js$/u.test(name);

/**
 * Stores the compressed element files of this build. Every instance can then serve them even after an upgrade to a
 * later build. Raises errors of the store.
 */
export async function keepElements(
  store: Store<Command, WriteResult>,
  folder: URL,
  { nowMs, keepDays }: { readonly nowMs: number; readonly keepDays: number },
): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter(isChunk);
  const storedNames = new Set((await store.rows(sql`select name from element_file`)).map(({ name }) => String(name)));
  const newFiles = await Promise.all(
    names
      .filter((name) => !storedNames.has(name))
      .map(async (name) => {
        const body = (await readFile(new URL(`${name}.br`, folder))).toString('base64');
        return { name, body, bytes: body.length };
      }),
  );
  await store.write({
    kind: 'elements',
    added: newFiles,
    used: names.filter((name) => storedNames.has(name)),
    now: timestamp(nowMs),
    usedBefore: timestamp(nowMs - keepDays * dayMs),
  });
}

/**
 * Returns an element file of another build, compressed with Brotli; null if no such file is stored. Raises errors of
 * the store.
 */
export async function earlierElement(store: Reader, name: string): Promise<Buffer | null> {
  if (!isChunk(name)) return null;
  const [row] = await store.rows(sql`select body from element_file where name = ${name}`);
  return typeof row?.['body'] === 'string' ? Buffer.from(row['body'], 'base64') : null;
}
