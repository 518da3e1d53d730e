import { apiVersion, isObject, type Json, type JsonObject } from '@inlay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { handle } from '../pipeline/handle.ts';
import { apiMethods, methods, methodsOf, type IncomingRequest } from '../pipeline/identify.ts';
import { Problem } from '../problems/problem.ts';
import type { Answer } from '../pipeline/serialise.ts';
import type { IncomingFile } from '../resource/incoming/file.ts';
import { valuesFor } from '../body/read-json.ts';
import { isOpen, takesLogins } from '../pipeline/authenticate.ts';
import type { Resource } from '../resource/define.ts';
import { anyResource } from './allowed.ts';
import type { BodyRules } from './bodies.ts';
import { header } from './header.ts';
import { megabyte, type ServerParts } from './parts.ts';
import { taskPath } from '../tasks/paths.ts';
import { addTaskPaths } from './task-paths.ts';
import { addUpload } from './upload.ts';

/** Parameters in an address instead of a body, and the uploaded stream. */
interface AddressedRequest {
  readonly body: Json;
  readonly file: IncomingFile | null;
}

function incomingOf(
  parts: ServerParts,
  version: string,
  path: string,
  request: FastifyRequest,
  addressedRequest: AddressedRequest | null,
): IncomingRequest {
  const override = header(request.headers['x-http-method-override'])?.toUpperCase();
  const method = request.method === 'POST' && override !== undefined && override !== 'POST' ? override : request.method;
  if (method === override && !Object.hasOwn(methods, method))
    throw new Problem('operation_unknown', {
      message: `X-HTTP-Method-Override must be one of: ${apiMethods.join(', ')}.`,
    });
  const { body, query } = request;
  if ((addressedRequest?.file ?? null) === null && isObject(query) && Object.keys(query).length > 0)
    throw new Problem('body_invalid', {
      message: `This address takes no parameters in its URL: send ${Object.keys(query).slice(0, 5).join(', ')} in the body.`,
    });
  return {
    version,
    path,
    method,
    body: addressedRequest !== null ? addressedRequest.body : isJson(body) ? body : null,
    file: addressedRequest?.file ?? null,
    rows: request.rowsOnDisk,
    lines: request.headers.accept?.startsWith('application/x-ndjson') === true,
    authorization: header(request.headers.authorization),
    ifMatch: header(request.headers['if-match']),
    prefer: header(request.headers.prefer),
    idempotencyKey: header(request.headers['idempotency-key']),
    address: request.address,
    sender: request.ip,
    whenGone: request.exchange.whenGone,
    hold: request.exchange.hold,
    recognised: request.recognised,
    trace: request.trace,
    admit: request.admit,
    named: (operation) => {
      request.operation = operation;
    },
  };
}

/** Narrows a parsed body to JSON: only `readJson` parses bodies. */
const isJson = (body: unknown): body is IncomingRequest['body'] => body !== undefined;

async function* seenWhole(stream: AsyncIterable<Uint8Array>, see: (body: string) => void): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    yield chunk;
  }
  see(Buffer.concat(chunks).toString());
}

/** Answers above this number of characters are converted to bytes before sending. */
const largeLetters = 262_144;

/** Returns the body for Fastify; `see` receives the complete body. */
function bodyOf(body: Answer['body'], see: ((body: string) => void) | undefined): Readable | string | Buffer {
  if (typeof body === 'string') {
    see?.(body);
    // A socket writes bytes much faster than strings.
    return body.length > largeLetters ? Buffer.from(body) : body;
  }
  if (body instanceof Uint8Array) {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    see?.(bytes.toString());
    return bytes;
  }
  return Readable.from(see === undefined ? body : seenWhole(body, see), { objectMode: false });
}

async function answer(
  parts: ServerParts,
  version: string,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  addressedRequest: AddressedRequest | null = null,
): Promise<Readable | string | Uint8Array | FastifyReply> {
  const incomingRequest = incomingOf(parts, version, path, request, addressedRequest);
  return send(parts, path, request, reply, await handle(parts.service, incomingRequest));
}

/** Sets status and headers of an answer; returns its body. */
function send(
  parts: ServerParts,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): Readable | string | Uint8Array | FastifyReply {
  if (answer.isReplayed === true) void reply.header('idempotency-replayed', 'true');
  if (answer.etag !== null) void reply.header('etag', answer.etag);
  if (answer.taskId !== undefined)
    void reply.code(202).header('preference-applied', 'respond-async').header('location', taskPath(answer.taskId));
  void reply.type(answer.type ?? 'application/json; charset=utf-8');
  if (answer.fileName !== undefined)
    void reply.header('content-disposition', `attachment; filename="${answer.fileName.replace(/[^\w.-]/gu, '_')}"`);
  const { onAnswer } = parts;
  const see =
    onAnswer === undefined || answer.type !== undefined
      ? undefined
      : (body: string) =>
          answer.taskId === undefined ? onAnswer(path, answer.operation, body) : onAnswer('task', 'get', body);
  const body = bodyOf(answer.body, see);
  // Returned instead of sent and awaited, because awaiting a reply watches its stream to the end. Only requests that
  // accept compression go through the reply.
  if (request.headers['accept-encoding'] === undefined) return body;
  reply.compress(body);
  return reply;
}

/** Returns the answer. If the request was already answered, an error of the answer is discarded. */
async function unlessEnded<Given>(reply: FastifyReply, answer: Promise<Given>): Promise<Given | FastifyReply> {
  try {
    return await answer;
  } catch (error) {
    if (reply.sent) return reply;
    throw error;
  }
}

/** Adds a route per resource, one for files, and a fallback that explains any other address below a version. */
export async function addResources(server: FastifyInstance, parts: ServerParts): Promise<void> {
  const limitOf = ({ bodyMb = parts.config.bodyLimitMb }: Pick<Resource, 'bodyMb'>): number => bodyMb * megabyte;
  const rulesOf = (resource: Resource): BodyRules => ({
    maxValues: resource.maxValues ?? valuesFor(limitOf(resource)),
    rows: resource.rowsIn === undefined ? null : ['properties', resource.rowsIn],
    isOpen: isOpen(resource),
    takesLogins: takesLogins(resource),
  });
  const unknownRules: BodyRules = { maxValues: valuesFor(limitOf({})), rows: null, isOpen: false, takesLogins: false };
  for (const [path, { resource }] of parts.service.registry.paths) {
    server.route({
      method: [...apiMethods],
      url: `/${apiVersion}/${path}`,
      bodyLimit: limitOf(resource),
      config: { resource: path, body: rulesOf(resource), methods: methodsOf(resource) },
      handler: (request, reply) => unlessEnded(reply, answer(parts, apiVersion, path, request, reply)),
    });
  }
  // Other addresses below a version: the pipeline names the unknown part.
  server.route<{ Params: { version: string; resource: string } }>({
    method: [...apiMethods],
    url: anyResource,
    config: { body: unknownRules },
    handler: (request, reply) =>
      unlessEnded(reply, answer(parts, request.params.version, request.params.resource, request, reply)),
  });
  await addUpload(server, parts.config.uploadMb * megabyte, (request, reply, body, file) =>
    unlessEnded(reply, answer(parts, apiVersion, 'data', request, reply, { body, file })),
  );
  addTaskPaths(
    server,
    (request, reply, body) =>
      unlessEnded(reply, answer(parts, apiVersion, 'task', request, reply, { body, file: null })),
    (request, reply, body) => unlessEnded(reply, taskFile(parts, request, reply, body)),
  );
}

async function taskFile(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  body: JsonObject,
): Promise<Readable | string | Uint8Array | FastifyReply> {
  const incomingRequest = incomingOf(parts, apiVersion, 'task', request, { body, file: null });
  const file = await parts.serveTaskFile(incomingRequest);
  return send(parts, 'task', request, reply, { ...file, operation: 'get', etag: null });
}
