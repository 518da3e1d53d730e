import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isList, isObject, type Json } from '@inlay/contract';
import type { ColumnPlace } from './contents.ts';
import type { SourceName } from './sources.ts';

export interface SavedDataset {
  readonly id: string;
  readonly columns: Readonly<Record<string, ColumnPlace>>;
}

/** Progress of creating the demo, saved in the data directory so that the next start can continue. */
export interface SavedDemo {
  /** Id of the API token of the demo organization. */
  readonly key: string;
  readonly datasets: Readonly<Partial<Record<SourceName, SavedDataset>>>;
  readonly dashboards: readonly { readonly id: string; readonly name: Json }[];
}

const isSavedDemo = (value: unknown): value is SavedDemo =>
  isObject(value) && typeof value['key'] === 'string' && isObject(value['datasets']) && isList(value['dashboards']);

const fileIn = (dataDir: string): string => join(dataDir, 'demo.json');

/** Reads the demo of an earlier start; null if there is none. */
export async function readSavedDemo(dataDir: string): Promise<SavedDemo | null> {
  const savedJson: unknown = await readFile(fileIn(dataDir), 'utf8').then(
    (text): unknown => JSON.parse(text),
    () => null,
  );
  return isSavedDemo(savedJson) ? savedJson : null;
}

export async function saveDemo(dataDir: string, demo: SavedDemo): Promise<void> {
  const file = fileIn(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, JSON.stringify(demo), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
