import type { Json } from '@inlay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Bodies } from '../body/open.ts';
import { readPieces, readWhole } from '../body/pieces.ts';
import { readJson, valuesFor, type ListPlace } from '../body/read-json.ts';
import { rowsOnDisk } from '../body/rows-on-disk.ts';
import { Scan, type BodyScan } from '../body/scan.ts';
import type { SpooledFile } from '../body/spool.ts';
import { fromHeader } from '../pipeline/authenticate.ts';
import type { IncomingRequest } from '../pipeline/identify.ts';
import { recognise } from '../pipeline/credentials/recognise.ts';
import type { Service } from '../pipeline/service.ts';
import { bodyTooLarge, Problem } from '../problems/problem.ts';
import type { RowsOnDisk } from '../resource/incoming/rows.ts';
import { nextRound } from '../concurrency/turns.ts';

export interface BodyRules {
  readonly maxValues: number;
  /** The path of the list of rows in a body. Too many rows for memory stay in a file. Null if a body has no rows. */
  readonly rows: ListPlace | null;
  /** True if clients without credentials may send a body. */
  readonly isOpen: boolean;
  /** True if a body may be a login. Other credentials in a login are ignored. */
  readonly takesLogins: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    admit: IncomingRequest['admit'];
    /** The rows of the body if they are too many to load into memory; otherwise null. */
    rowsOnDisk: RowsOnDisk | null;
  }
  interface FastifyContextConfig {
    body?: BodyRules;
    /** The methods for the header `Allow` if the route also accepts methods that it refuses. */
    methods?: readonly string[];
  }
}

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
/** Bodies up to this size are read immediately, even from unknown senders. */
const smallBytes = 64 * kilobyte;
/**
 * Maximum memory per body, in bytes; larger bodies go to a file. `other`: bodies with rows and bodies of unknown
 * senders.
 */
const memoryBytes = { known: megabyte, other: 256 * kilobyte } as const;
/** Maximum size of a body without its rows. */
const besideRowsBytes = 6 * megabyte;

/** Refuses anything but uncompressed JSON in UTF-8. Raises Problem `media_type_unsupported`. */
function checkType({ headers }: FastifyRequest): void {
  const charset = /charset\s*=\s*"?([\w-]+)/iu.exec(headers['content-type'] ?? '')?.[1];
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!/^identity$/iu.test(encoding)) throw new Problem('media_type_unsupported');
  if (charset !== undefined && !/^utf-?8$/iu.test(charset)) throw new Problem('media_type_unsupported');
}

const senderOf = ({ address, admit, recognised }: FastifyRequest): Parameters<typeof recognise>[2] => ({
  address,
  admit,
  recognised,
});

/** Identifies the sender by the credentials in the body. Raises Problem: 401, 429. */
async function recogniseInside(
  service: Service,
  request: FastifyRequest,
  rules: BodyRules,
  { key, token }: Pick<BodyScan, 'key' | 'token'>,
): Promise<void> {
  if (key !== undefined && token !== undefined) return recognise(service, { key, token }, senderOf(request), true);
  if (rules.isOpen || (await service.anonymous()) !== null) return;
  throw new Problem('credentials_missing');
}

/** Reads a body into memory, or into a file if it is large. Raises errors of `readPieces`, and 503 `disk_full`. */
async function take(
  { pace, spool }: Bodies,
  request: FastifyRequest,
  payload: Readable,
  maxInMemory: number,
): Promise<{ readonly bytes: number; readonly pieces: readonly Buffer[]; readonly spooled: SpooledFile | null }> {
  const pieces: Buffer[] = [];
  const at: { held: number; spooled: SpooledFile | null } = { held: 0, spooled: null };
  const toFile = async (): Promise<void> => {
    const spooledFile = await spool.open();
    request.exchange.hold(spooledFile.close);
    at.spooled = spooledFile;
    for (const piece of pieces.splice(0)) await spooledFile.write(piece);
  };
  const bytes = await readPieces(payload, pace, request.routeOptions.bodyLimit, (piece) => {
    if (at.spooled !== null) return at.spooled.write(piece);
    pieces.push(piece);
    at.held += piece.length;
    return at.held > maxInMemory ? toFile() : undefined;
  });
  return { bytes, pieces, spooled: at.spooled };
}

/** Parses a spooled body. `recogniseBy` checks its credentials before it is parsed. */
async function readFile(
  { thread }: Bodies,
  request: FastifyRequest,
  rules: BodyRules,
  spooledFile: SpooledFile,
  bytes: number,
  recogniseBy: (scanned: Pick<BodyScan, 'key' | 'token'>) => Promise<void>,
): Promise<Json> {
  const { fd } = spooledFile;
  const { maxValues, rows: place } = rules;
  const bodyScan = await spooledFile.use(() => thread.work({ op: 'scan', fd, bytes, maxValues, place }));
  await recogniseBy(bodyScan);
  const { list } = bodyScan;
  const listBounds = list === null ? null : ([list.start, list.end] as const);
  const restBytes = bytes - (list === null ? 0 : list.end - list.start);
  if (place !== null && restBytes > besideRowsBytes)
    throw new Problem('body_too_large', {
      message: `The body is too large: beside the rows of ${place.join('.')} it may have ${besideRowsBytes / megabyte} MB.`,
    });
  const others = place === null ? maxValues : Math.min(maxValues, valuesFor(besideRowsBytes));
  const text = await spooledFile.use(() => thread.work({ op: 'text', fd, bytes, maxValues: others, cut: listBounds }));
  if (list === null) spooledFile.close();
  else request.rowsOnDisk = rowsOnDisk(list, spooledFile, thread);
  // Yields between reading the text and checking the parsed value, as both block.
  await nextRound();
  const body: Json = JSON.parse(text);
  await nextRound();
  return body;
}

/**
 * Reads a body once its sender is known. Credentials in a header are checked before reading. A body that contains
 * credentials is first scanned for them, and parsed only after they are verified.
 */
async function readBody(bodies: Bodies, service: Service, request: FastifyRequest, payload: Readable): Promise<Json> {
  checkType(request);
  const { bodyLimit, config } = request.routeOptions;
  const { authorization = '', 'content-length': contentLength } = request.headers;
  const length = contentLength === undefined ? undefined : Number(contentLength);
  const expected = length ?? bodyLimit;
  if (expected > bodyLimit) throw bodyTooLarge(bodyLimit);
  const rules = config.body;
  const mayBeLogin = rules?.takesLogins === true && (length === undefined || length <= smallBytes);
  const credentials = rules === undefined || mayBeLogin ? undefined : fromHeader(authorization);
  if (credentials !== undefined) await recognise(service, credentials, senderOf(request), expected > smallBytes);
  const maxValues = rules?.maxValues ?? valuesFor(bodyLimit);
  if (expected <= smallBytes) {
    const contents = await readWhole(payload, bodies.pace, expected);
    if (length !== undefined && length !== contents.length) throw new Problem('json_invalid');
    return readJson(contents, maxValues, rules?.rows ?? null);
  }
  const room = credentials === undefined ? bodies.room.unknown : bodies.room.known;
  request.exchange.atEnd(await room.reserve(request.address, expected, request.exchange.hold));
  const isKnown = rules === undefined || credentials !== undefined;
  const maxInMemory = isKnown && (rules?.rows ?? null) === null ? memoryBytes.known : memoryBytes.other;
  const { bytes, pieces, spooled } = await take(bodies, request, payload, maxInMemory);
  if (length !== undefined && length !== bytes) throw new Problem('json_invalid');
  const recogniseBy = async (bodyScan: Pick<BodyScan, 'key' | 'token'>): Promise<void> => {
    if (rules !== undefined && !isKnown) await recogniseInside(service, request, rules, bodyScan);
  };
  if (spooled !== null) {
    const bodyRules = rules ?? { maxValues, rows: null, isOpen: true, takesLogins: false };
    return readFile(bodies, request, bodyRules, spooled, bytes, recogniseBy);
  }
  const contents = pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces, bytes);
  if (!isKnown && bytes > smallBytes) {
    const scan = new Scan(maxValues, null);
    scan.feed(contents);
    await recogniseBy(scan.end());
  }
  return readJson(contents, maxValues, rules?.rows ?? null);
}

/** Reads bodies as uncompressed JSON in UTF-8; refuses anything else with `media_type_unsupported`. */
export function readJsonBodies(server: FastifyInstance, bodies: Bodies, service: Service): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage) =>
    readBody(bodies, service, request, payload),
  );
}
