import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { isList, isObject, type Json } from '@inlay/contract';
import { catalogue, isProblemCode } from '../../packages/service/src/problems/catalogue.ts';

/** What came back for one request, whatever carried it. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
  deflate: (bytes) => inflateSync(bytes),
};

/** Returns the text of a body as it came, whatever it was compressed with. */
export function bodyText(bytes: Buffer, headers: Reply['headers']): string {
  const encoding = headers['content-encoding'];
  const decode = decoders[typeof encoding === 'string' ? encoding : ''];
  return (decode === undefined || bytes.length === 0 ? bytes : decode(bytes)).toString();
}

const leaks =
  /\bat \S+ \(|\.ts:\d+|\.js:\d+|node:internal|\bsqlite|postgres|\bselect .* from\b|\binsert into\b|\bTypeError\b|\bRangeError\b|Cannot read|is not a function|undefined/iu;

const parsed = (text: string): Json | undefined => {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
};

function faultOfProblem({ status, headers, body }: Reply): string | undefined {
  const problem = parsed(body);
  if (!isObject(problem)) return 'is not a JSON object';
  const { type, message, code, validation, request_id: requestId, ...more } = problem;
  if (Object.keys(more).length > 0) return `has the members ${Object.keys(more).join(', ')}`;
  if (!isObject(type) || type['code'] !== status || typeof type['description'] !== 'string') return 'has another type';
  if (typeof code !== 'string' || !isProblemCode(code)) return 'has a code that is not in the catalogue';
  if (catalogue[code].status !== status) return `says ${code} with another status`;
  if (typeof message !== 'string' || leaks.test(message)) return 'has a message that tells too much';
  if (typeof requestId !== 'string' || headers['x-request-id'] !== requestId) return 'has another request_id';
  if (validation === undefined) return undefined;
  if (!isObject(validation) || Object.keys(validation).length === 0) return 'has an empty validation';
  for (const said of Object.values(validation)) {
    if (!isList(said) || said.length === 0) return 'has a place without a message';
    if (said.some((one) => typeof one !== 'string' || leaks.test(one))) return 'has a fault that tells too much';
  }
  return undefined;
}

/** What is wrong with an answer to any request at all; undefined if nothing is. */
export function faultOf(reply: Reply): string | undefined {
  const { status, headers } = reply;
  if (status === 500) return 'is a 500';
  if (status >= 200 && status < 300) return undefined;
  if (status < 400) return status === 302 ? undefined : `has the status ${status}`;
  if (!String(headers['content-type']).startsWith('application/json')) return 'is not JSON';
  if (headers['x-content-type-options'] !== 'nosniff') return 'may be sniffed';
  return faultOfProblem(reply);
}
