import type { Readable } from 'node:stream';

/** A file on its way in. */
export interface IncomingFile {
  readonly stream: Readable;
  readonly format: FileKind;
}

export const fileKinds = {
  csv: ['text/csv', 'application/csv', 'text/tab-separated-values'],
  ndjson: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  parquet: ['application/vnd.apache.parquet', 'application/x-parquet'],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
} as const;
export type FileKind = keyof typeof fileKinds;

const names: readonly FileKind[] = ['csv', 'ndjson', 'parquet', 'xlsx'];

/** The format of a file by its content type; null where it is none that is read. */
export const fileKindOf = (contentType: string): FileKind | null => {
  const bare = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  return names.find((name) => fileKinds[name].some((type) => type === bare)) ?? null;
};

/** Parameters in the address of an upload, and what each takes. */
export const uploadParameters = {
  type: 'a word',
  securable_id: 'a UUID',
  name: 'a text',
  header: 'true or false',
  update_metadata: 'true or false',
  key: 'names of columns with commas between',
  sheet: 'the name of a sheet',
  on_invalid: 'a word',
  columns: 'a JSON object {name: type}',
} as const;
