import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isList, isObject, member, type Json } from '@inlay/contract';

/** A span as it was received. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, Json>>;
}

/** A real collector of traces by OTLP over HTTP, in JSON. */
export interface OtlpCollector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Returns every byte of the bodies that were received, as text. */
  bytes(): string;
  readonly headers: readonly IncomingHttpHeaders[];
  /** From now on requests are not answered. */
  stall(): void;
  stop(): Promise<void>;
}

const memberOf = (value: Json | undefined, name: string): Json =>
  (value !== undefined && isObject(value) ? member(value, name) : undefined) ?? null;

const listIn = (value: Json, name: string): readonly Json[] => {
  const found = memberOf(value, name);
  return isList(found) ? found : [];
};

const textIn = (value: Json, name: string): string => {
  const found = memberOf(value, name);
  return typeof found === 'string' ? found : '';
};

/** Returns a value of an attribute, without the word of its type. */
function plain(value: Json): Json {
  if (!isObject(value)) return value;
  const [[type, inner] = []] = Object.entries(value);
  return type === 'arrayValue' ? listIn(inner ?? null, 'values').map(plain) : (inner ?? null);
}

const spanOf = (span: Json): ReceivedSpan => ({
  name: textIn(span, 'name'),
  traceId: textIn(span, 'traceId'),
  spanId: textIn(span, 'spanId'),
  parentSpanId: textIn(span, 'parentSpanId'),
  kind: Number(memberOf(span, 'kind')),
  startMs: Number(memberOf(span, 'startTimeUnixNano')) / 1e6,
  endMs: Number(memberOf(span, 'endTimeUnixNano')) / 1e6,
  attributes: Object.fromEntries(
    listIn(span, 'attributes').map((attribute) => [textIn(attribute, 'key'), plain(memberOf(attribute, 'value'))]),
  ),
});

/** Starts a collector on a free port of the loopback address. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const state = { stalls: false };
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      if (request.url !== '/v1/traces' || request.method !== 'POST') return response.writeHead(404).end();
      if (state.stalls) return undefined;
      bodies.push(body);
      headers.push(request.headers);
      const sent: Json = JSON.parse(body.toString());
      for (const resource of listIn(sent, 'resourceSpans'))
        for (const scope of listIn(resource, 'scopeSpans')) spans.push(...listIn(scope, 'spans').map(spanOf));
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the collector has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    bytes: () => Buffer.concat(bodies).toString(),
    headers,
    stall: () => {
      state.stalls = true;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
