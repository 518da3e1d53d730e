import type { Readable } from 'node:stream';

/** An incoming file. */
export interface IncomingFile {
  readonly stream: Readable;
  readonly format: FileKind;
  /** Declared encoding of a text file, as named by `TextDecoder`; null if none is declared. */
  readonly charset: string | null;
}

export const fileKinds = {
  csv: ['text/csv', 'application/csv', 'text/tab-separated-values'],
  ndjson: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  parquet: ['application/vnd.apache.parquet', 'application/x-parquet'],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
} as const;
export type FileKind = keyof typeof fileKinds;

/** Content type of a file whose format is in the parameter `format`. */
export const anyFile = 'application/octet-stream';

const names = ['csv', 'ndjson', 'parquet', 'xlsx'] as const satisfies readonly FileKind[];

/** True if a text is a file format. */
export const isFileKind = (name: unknown): name is FileKind => names.some((known) => known === name);

/**
 * Returns the format of a file by its content type, or by `format` if the type is generic; null if the format is not
 * supported.
 */
export const fileKindOf = (contentType: string, format: unknown): FileKind | null => {
  const bare = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  return (
    names.find((name) => (bare === anyFile ? name === format : fileKinds[name].some((type) => type === bare))) ?? null
  );
};

/**
 * Returns the charset of a content type, as named by `TextDecoder`; null if the type has none. Raises RangeError for an
 * unknown charset.
 */
export function charsetOf(contentType: string): string | null {
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/iu.exec(contentType) ?? [];
  const label = (quoted ?? plain)?.trim();
  if (label === undefined) return null;
  // ASCII is a subset of UTF-8, and other bytes are undefined in ASCII. So such a file is read as one without a
  // charset.
  return /^(?:us-)?ascii$/iu.test(label) ? null : new TextDecoder(label).encoding;
}

const text = { type: 'string' } as const;
const truth = { type: 'boolean' } as const;

/** Parameters in the address of an upload, with description and JSON schema. */
export const uploadParameters = {
  format: { description: `one of ${names.join(', ')}`, schema: { type: 'string', enum: names } },
  type: { description: 'a word', schema: text },
  securable_id: { description: 'a UUID', schema: { type: 'string', format: 'uuid' } },
  name: { description: 'a text', schema: text },
  header: { description: 'true or false', schema: truth },
  update_metadata: { description: 'true or false', schema: truth },
  key: { description: 'names of columns with commas between', schema: text },
  sheet: { description: 'the name of a sheet', schema: text },
  on_invalid: { description: 'a word', schema: text },
  columns: { description: 'a JSON object {name: type}', schema: text },
  decimal: { description: 'a point or a comma', schema: text },
  thousands: { description: 'the character between groups of three digits', schema: text },
  date_pattern: { description: 'a pattern such as dd.MM.yyyy', schema: text },
} as const;
