import { isObject, listOr, member, textOr, type Json, type JsonObject } from '@inlay/contract';
import type { Outbound } from '../outbound/index.ts';

/** An endpoint with OpenAI's chat completions API. */
export interface Endpoint {
  /** Address without the path of the API's method, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly model: string;
}

/** The result of a request: the model's text, a refusal by the endpoint, or a failure of the call. */
export type ModelReply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'failed'; readonly cause: string };

/** Response formats for JSON, strictest first. */
export const formats = ['json_schema', 'json_object', 'text'] as const;
export type Format = (typeof formats)[number];

export interface ReplySchema {
  readonly name: string;
  readonly schema: JsonObject;
  /** Maximum number of tokens of the reply; `usualTokens` if undefined. */
  readonly maxTokens?: number;
}

const formatOf = (format: Format, { name, schema }: ReplySchema): JsonObject =>
  format === 'text'
    ? {}
    : format === 'json_object'
      ? { response_format: { type: 'json_object' } }
      : { response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } } };

/** Enough for a chart with conditions, and for the reasoning of models that count it as a part of the reply. */
const usualTokens = 2000;

/** Returns the body of a request, exactly as it is sent. */
export const bodyOf = (model: string, messages: readonly JsonObject[], format: Format, schema: ReplySchema): string =>
  JSON.stringify({
    model,
    messages: [...messages],
    temperature: 0,
    max_tokens: schema.maxTokens ?? usualTokens,
    ...formatOf(format, schema),
  });

const maxBytes = 262_144;

function textIn(answer: Json): string | null {
  const choices = isObject(answer) ? member(answer, 'choices') : undefined;
  const [choice] = listOr(choices);
  const message = isObject(choice) ? member(choice, 'message') : undefined;
  const content = isObject(message) ? member(message, 'content') : undefined;
  return textOr(content, null);
}

/** Sends one request and reads at most 256 KB of JSON. Never rejects. */
export async function send(
  outbound: Pick<Outbound, 'fetch'>,
  { baseUrl, key }: Endpoint,
  body: string,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<ModelReply> {
  try {
    const answer = await outbound.fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      body,
      deadlineMs,
      maxBytes,
      accept: ['application/json'],
      signal,
    });
    if (answer.status < 200 || answer.status > 299) {
      for await (const _piece of answer.body) break;
      return { kind: 'refused', status: answer.status };
    }
    const parsedAnswer: Json = JSON.parse(await answer.text());
    const text = textIn(parsedAnswer);
    return text === null ? { kind: 'failed', cause: 'unusable' } : { kind: 'text', text };
  } catch (error) {
    const cause = error instanceof Error && typeof error.cause === 'string' ? error.cause : 'unusable';
    return { kind: 'failed', cause };
  }
}
