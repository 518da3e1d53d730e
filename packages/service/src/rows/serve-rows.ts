import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import type { StorageType } from '@inlay/query';
import {
  EngineProblem,
  type EngineCause,
  type IngestNotice,
  type IngestProgress,
  type InvalidCells,
  type WrittenForms,
} from '../engine/engine.ts';
import { engineProblem } from '../data/problems.ts';
import { problemBody } from '../problems/body.ts';
import { problemOf } from '../pipeline/problem-of.ts';
import { textsOf } from '../search/records.ts';
import { Problem } from '../problems/problem.ts';
import type { IncomingFile } from '../resource/incoming/file.ts';
import type { Registry } from '../resource/registry.ts';
import type { ServedHandler, ServedAnswer, ServedRequest } from '../resource/served.ts';
import { membersOf } from '../declare/warnings.ts';
import type { Warning } from '../declare/warning.ts';
import { pushTypeOf, tooManyRows } from '../resources/parts/data/push.ts';
import { pushedRows, sourceOf } from './batches.ts';
import { corrections, isCorrection } from './columns.ts';
import { DatasetQueue } from './dataset-queue.ts';
import { createQuota, type Quota } from './quota.ts';
import { receive, type ReceivedFile } from './received-file.ts';
import { rowModes, type RowMode, type RowsRequest, type RowStoreContext } from './store-rows.ts';

export interface Rows extends RowStoreContext {
  readonly registry: Registry;
  /** Folder for uploads while they are read. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly newId: () => string;
}

const optionsOf = ({ input }: ServedRequest): JsonObject => {
  const { options } = input;
  return options !== undefined && isObject(options) ? options : {};
};

function overridesOf(options: JsonObject): ReadonlyMap<string, StorageType> {
  const { columns } = options;
  if (columns === undefined || !isObject(columns)) return new Map();
  return new Map(
    Object.entries(columns).flatMap(([name, word]) =>
      typeof word === 'string' && isCorrection(word) ? [[name, corrections[word]] as const] : [],
    ),
  );
}

function formsOf({ decimal, thousands, date_pattern: datePattern }: JsonObject): WrittenForms {
  return {
    ...(decimal === '.' || decimal === ',' ? { decimal } : {}),
    ...(typeof thousands === 'string' ? { thousands } : {}),
    ...(typeof datePattern === 'string' ? { datePattern } : {}),
  };
}

const nameOf = (options: JsonObject): JsonObject => {
  const { name } = options;
  if (typeof name === 'string') return { en: name };
  return name !== undefined && isObject(name) ? name : { en: 'Data' };
};

const texts = (value: Json | undefined): readonly string[] =>
  value !== undefined && isList(value) ? value.filter((entry) => typeof entry === 'string') : [];

/** Returns column names that were sent separately from the rows; null if there are none. */
const namesIn = ({ header }: JsonObject): readonly string[] | null =>
  header !== undefined && isList(header) ? texts(header) : null;

const modeOf = ({ input }: ServedRequest): RowMode => rowModes.find((mode) => mode === pushTypeOf(input)) ?? 'create';

const idOf = ({ input }: ServedRequest): string | null => {
  const { securable_id: securableId } = input;
  return typeof securableId === 'string' ? securableId.toLowerCase() : null;
};

/** Returns the parts of a request to store rows that pushes and uploads have in common. */
function baseOf(request: ServedRequest, subtype: string): Omit<RowsRequest, 'source' | 'progress' | 'isPushed'> {
  const options = optionsOf(request);
  const { caller, signal, idempotency, replays } = request;
  return {
    caller,
    signal,
    idempotency,
    replays,
    mode: modeOf(request),
    securableId: idOf(request),
    set: { type: 'dataset', subtype, name: nameOf(options) },
    overrides: overridesOf(options),
    onInvalid: options['on_invalid'] === 'null' ? 'null' : 'refuse',
    forms: formsOf(options),
    key: texts(options['key']),
    updateMetadata: options['update_metadata'] === true,
  };
}

/** Messages for rows that the engine cannot store, by cause. Only these causes concern the rows. */
const unstorableReasons: Readonly<Partial<Record<EngineCause, string>>> = {
  input: 'they are not of their format',
  sql: 'they are not of their format',
};

/** Converts an error that occurred while storing rows to a Problem. */
function toRowProblem(error: unknown): unknown {
  if (!(error instanceof EngineProblem)) return error;
  if (error.cause === 'failed')
    return new Problem('engine_failed', {
      message:
        'The engine ended while it read the rows. Try again; where that does not help, a value may be nested too deeply.',
    });
  if (error.cause === 'memory')
    return new Problem('engine_memory', {
      message:
        'The rows need more memory than this service gives to an upload. Send fewer columns, or the rows in parts.',
    });
  const why = unstorableReasons[error.cause];
  return why === undefined
    ? engineProblem(error)
    : new Problem('rows_invalid', { message: `The rows cannot be stored: ${error.detail ?? why}.` });
}

const warningOf = ({ column, count, first }: InvalidCells): Warning => ({
  path: `columns.${column}`,
  code: 'values_invalid',
  message: `${count} ${count === 1 ? 'cell does' : 'cells do'} not fit the column "${column}" and became null, the first in row ${first}.`,
});

function noticeWarning(notice: IngestNotice): Warning {
  switch (notice.kind) {
    case 'encoding':
      return {
        path: 'data',
        code: 'encoding_detected',
        message: `The file is not UTF-8 and was read as ${notice.encoding}. Name its encoding in the content type, such as text/csv; charset=${notice.encoding}.`,
      };
    case 'headerless':
      return {
        path: 'options.header',
        code: 'header_not_found',
        message:
          'The first row was stored as values, since some of its cells are numbers or dates. Say header=true if it has the names of the columns, and header=false if not.',
      };
    case 'readings': {
      const { column, option, example, readings, isText } = notice;
      const [first, second] = readings;
      const meanings = option === 'decimal' ? `is ${first} or ${second}` : `is a date by ${first} or by ${second}`;
      const explanation = isText
        ? 'The column was stored as text'
        : `The column was stored as numbers with a decimal point`;
      return {
        path: `columns.${column}`,
        code: 'values_ambiguous',
        message: `"${example}" in the column "${column}" ${meanings}. ${explanation}; say which is meant with options.${option}.`,
      };
    }
  }
}

type Progress = RowsRequest['progress'];
const ignoreProgress = (): void => undefined;

/**
 * Returns a received file as a source of rows, with its format. The column names come from the request or the dataset.
 */
function fileSource(
  options: JsonObject,
  { path }: ReceivedFile,
  { format, charset }: Pick<IncomingFile, 'format' | 'charset'>,
): RowsRequest['source'] {
  const { sheet } = options;
  const ownNames = namesIn(options);
  const header = ownNames === null ? options['header'] : false;
  return (heldRows) => {
    const names = ownNames ?? heldRows?.columns.map(({ name }) => name) ?? [];
    const namedFile = { path, ...(names.length === 0 ? {} : { names }) };
    return format === 'xlsx'
      ? { kind: 'workbook', ...namedFile, sheet: typeof sheet === 'string' ? sheet : null, header: header !== false }
      : {
          kind: 'file',
          ...namedFile,
          format: format === 'ndjson' ? 'ndjson' : format === 'parquet' ? 'parquet' : 'csv',
          ...(typeof header === 'boolean' ? { header } : {}),
          ...(charset === null ? {} : { charset }),
        };
  };
}

/** Handles `create` on data: pushed rows and streamed files. */
class RowsHandler {
  readonly #rows: Rows;
  readonly #queue: DatasetQueue;
  readonly #quota: Quota;

  constructor(rows: Rows) {
    this.#rows = rows;
    this.#queue = new DatasetQueue(rows, rows.newId);
    this.#quota = createQuota(rows.engine, rows.quotaBytes);
  }

  async serve(request: ServedRequest): Promise<ServedAnswer> {
    const { file, lines } = request;
    if (file === null) return { body: await this.#push(request) };
    if (!lines) return { body: await this.#upload(request, file, ignoreProgress, ignoreProgress) };
    return {
      body: inLines((onBytes, progress) => this.#upload(request, file, onBytes, progress)),
      type: 'application/x-ndjson',
    };
  }

  async #push(request: ServedRequest): Promise<string> {
    const { input, rows } = request;
    const { data } = input;
    if (data === undefined || data === null || !isList(data))
      throw new Problem('rows_invalid', { validation: { 'properties.data': ['is required: a list of rows'] } });
    const base = baseOf(request, 'api');
    const hasHeader = optionsOf(request)['header'] === true;
    const tooMany = rows === null ? null : tooManyRows(rows.count - (hasHeader ? 1 : 0));
    if (tooMany !== null) throw new Problem('validation_failed', { validation: { 'properties.data': [tooMany] } });
    const sentRows = rows === null ? pushedRows(data, hasHeader) : await rows.read(hasHeader);
    const names = namesIn(optionsOf(request));
    return this.#store(request, {
      ...base,
      isPushed: true,
      source: (heldRows) => sourceOf(sentRows, { names, mode: base.mode }, heldRows),
      progress: ignoreProgress,
    });
  }

  /** Receives a file into the folder, stores its rows, and deletes the file. */
  async #upload(
    request: ServedRequest,
    file: IncomingFile,
    onBytes: (bytes: number) => void,
    progress: Progress,
  ): Promise<string> {
    const { folder, newId, maxBytes } = this.#rows;
    const meter = await this.#quota.begin(request.caller.organizationId, idOf(request));
    try {
      const receivedFile = await receive(file, folder, newId(), maxBytes, request.signal, (bytes) => {
        meter.came(bytes);
        onBytes(bytes);
      });
      try {
        const source = fileSource(optionsOf(request), receivedFile, file);
        return await this.#store(request, { ...baseOf(request, 'upload'), isPushed: false, source, progress });
      } finally {
        await receivedFile.drop();
      }
    } finally {
      meter.end();
    }
  }

  /** Stores rows. Returns the record of the dataset, with warnings. */
  async #store({ caller, trace }: ServedRequest, rows: RowsRequest): Promise<string> {
    const { store: reader, registry } = this.#rows;
    const { stored, invalid, notices } = await this.#queue.store(rows).catch((error: unknown) => {
      throw toRowProblem(error);
    });
    trace.concerns.note('dataset', stored.id);
    const securable = registry.resource('securable');
    const [text = 'null'] = await textsOf({ reader, registry, caller }, securable, [{ stored, hiddenFields: [] }]);
    const warnings = [...notices.map(noticeWarning), ...invalid.map(warningOf)];
    const members = warnings.length === 0 ? '' : `,${JSON.stringify(membersOf(warnings)).slice(1, -1)}`;
    return `{"count":1,"rows":[${text}]${members}}`;
  }
}

/** Creates the handler of `create` on data. */
export function createRowsHandler(rows: Rows): ServedHandler {
  const handler = new RowsHandler(rows);
  return (request) => handler.serve(request);
}

const encoder = new TextEncoder();
const line = (value: JsonObject): Uint8Array => encoder.encode(`${JSON.stringify(value)}\n`);

/** Number of bytes between two progress lines. */
const stepBytes = 8 * 1024 * 1024;

/** Streams progress as one JSON object per line. The last line is the answer or an error. */
async function* inLines(
  work: (came: (bytes: number) => void, progress: RowsRequest['progress']) => Promise<string>,
): AsyncGenerator<Uint8Array> {
  const steps: Uint8Array[] = [];
  const at = { received: 0, told: 0, ended: false, wake: (): void => undefined };
  const push = (step: Uint8Array): void => {
    steps.push(step);
    at.wake();
  };
  const onBytes = (bytes: number): void => {
    at.received = bytes;
    if (bytes - at.told < stepBytes) return;
    at.told = bytes;
    push(line({ kind: 'received', received: bytes }));
  };
  const progress = ({ kind, rows, bytes }: IngestProgress): void => {
    if (kind === 'progress') push(line({ kind, received: at.received, rows, bytes }));
  };
  const working = work(onBytes, progress)
    .then(
      (text) => push(encoder.encode(`{"kind":"done",${text.slice(1)}\n`)),
      (error: unknown) => push(line({ kind: 'failed', error: { ...problemBody(problemOf(error), '') } })),
    )
    .finally(() => {
      at.ended = true;
      at.wake();
    });
  try {
    for (;;) {
      yield* steps.splice(0);
      if (at.ended && steps.length === 0) return;
      await new Promise<void>((resolve) => {
        at.wake = resolve;
        if (steps.length > 0 || at.ended) resolve();
      });
    }
  } finally {
    await working;
  }
}
