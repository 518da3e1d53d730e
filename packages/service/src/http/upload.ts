import { apiVersion, unknownWord, type Json, type JsonObject } from '@inlay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Faults, Problem } from '../problems/problem.ts';
import {
  anyFile,
  charsetOf,
  fileKindOf,
  fileKinds,
  isFileKind,
  uploadParameters,
  type IncomingFile,
} from '../resource/incoming/file.ts';

type PartReader = (text: string) => Json | undefined;

const text: PartReader = (value) => value;
const flag: PartReader = (value) => (value === 'true' ? true : value === 'false' ? false : undefined);
const kind: PartReader = (value) => (isFileKind(value) ? value : undefined);
const names: PartReader = (value) => value.split(',').map((name) => name.trim());
const object: PartReader = (value) => {
  try {
    const parsedValue: Json = JSON.parse(value);
    return parsedValue;
  } catch {
    return undefined;
  }
};

/** Maps query parameters of an upload to properties of a push, each with its parser. */
const parameters = {
  format: { of: 'file', read: kind },
  type: { of: 'properties', read: text },
  securable_id: { of: 'properties', read: text },
  name: { of: 'options', read: text },
  header: { of: 'options', read: flag },
  update_metadata: { of: 'options', read: flag },
  key: { of: 'options', read: names },
  sheet: { of: 'options', read: text },
  on_invalid: { of: 'options', read: text },
  columns: { of: 'options', read: object },
  decimal: { of: 'options', read: text },
  thousands: { of: 'options', read: text },
  date_pattern: { of: 'options', read: text },
} as const satisfies Readonly<
  Record<keyof typeof uploadParameters, { readonly of: 'file' | 'properties' | 'options'; readonly read: PartReader }>
>;

const isParameter = (name: string): name is keyof typeof parameters => Object.hasOwn(parameters, name);

function propertiesOf(query: unknown): JsonObject {
  const faults = new Faults();
  const parts = { file: {}, properties: {}, options: {} } satisfies Record<string, Record<string, Json>>;
  for (const [name, value] of Object.entries(typeof query === 'object' && query !== null ? query : {})) {
    if (!isParameter(name)) {
      faults.add(name, unknownWord(name, Object.keys(parameters)));
      continue;
    }
    const { of, read: readPart } = parameters[name];
    const partValue = typeof value === 'string' ? readPart(value) : undefined;
    if (partValue === undefined) faults.add(name, `must be ${uploadParameters[name].description}, once`);
    else Object.assign(parts[of], { [name]: partValue });
  }
  faults.raise();
  return { ...parts.properties, options: parts.options };
}

/** Returns the charset in a content type. Raises Problem `media_type_unsupported` for an unknown encoding. */
function charsetIn(contentType: string): string | null {
  try {
    return charsetOf(contentType);
  } catch {
    throw new Problem('media_type_unsupported', {
      message:
        'The charset of the content type is not known. Name one of the WHATWG Encoding Standard, such as utf-8, utf-16le or windows-1252.',
    });
  }
}

/** Answers an upload through the same steps as every request. */
export type AnswerUpload = (
  request: FastifyRequest,
  reply: FastifyReply,
  body: Json,
  file: IncomingFile,
) => Promise<unknown>;

/**
 * Accepts files at `/0.1.0/data/file`: the content type or `format` determines the format, query parameters the push.
 * Nothing is read here; the handler that stores rows reads the stream. Raises Problem: 400, 413, 415.
 */
export async function addUpload(server: FastifyInstance, maxBytes: number, answer: AnswerUpload): Promise<void> {
  await server.register(async (files) => {
    files.removeAllContentTypeParsers();
    files.addContentTypeParser(Object.values(fileKinds).flat(), (_request, _payload, done) => done(null, null));
    // Other types get an answer that lists the supported ones.
    files.addContentTypeParser('*', (_request, _payload, done) => done(null, null));
    files.post<{ Querystring: { readonly format?: unknown } }>(
      `/${apiVersion}/data/file`,
      { bodyLimit: maxBytes, config: { resource: 'data', streams: true } },
      async (request, reply) => {
        const format = fileKindOf(request.headers['content-type'] ?? '', request.query.format);
        if (format === null || !/^identity$/iu.test(request.headers['content-encoding'] ?? 'identity'))
          throw new Problem('media_type_unsupported', {
            message: `Send the file with one of these content types, without a content encoding: ${Object.values(fileKinds).flat().join(', ')}, or ${anyFile} and a format in the address such as ?format=csv.`,
          });
        return answer(
          request,
          reply,
          { action: 'create', properties: propertiesOf(request.query) },
          { stream: request.raw, format, charset: charsetIn(request.headers['content-type'] ?? '') },
        );
      },
    );
  });
}
