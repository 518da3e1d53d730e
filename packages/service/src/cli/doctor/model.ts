import type { Config } from '../../config/config.ts';
import { configuredModel, type CallableModel } from '../../model/open.ts';
import { bodyOf, formats, send, type Format, type ModelReply, type ReplySchema } from '../../model/send.ts';
import { createOutbound } from '../../outbound/index.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const check = 'AI provider';
const question = [{ role: 'user', content: 'Answer with the JSON object {"works": true} and nothing else.' }];
const schema: ReplySchema = {
  name: 'check',
  schema: {
    type: 'object',
    properties: { works: { type: 'boolean' } },
    required: ['works'],
    additionalProperties: false,
  },
};

const openAddress =
  'A provider on this machine or in the own network, or one without https, needs INLAY_AI_PRIVATE_HOST=true.';
const anotherAddress = 'Correct INLAY_AI_BASE_URL.';

/** What to do about a call that failed, by its cause. */
const remedies: Readonly<Record<string, string>> = {
  url: openAddress,
  forbidden_address: openAddress,
  unknown_host: anotherAddress,
  refused: 'Start the provider, or correct host and port in INLAY_AI_BASE_URL.',
  tls: 'Give the provider a certificate that this machine trusts; see NODE_EXTRA_CA_CERTS.',
  timeout: 'Raise INLAY_AI_TIMEOUT_S, or use a faster model.',
  redirect: anotherAddress,
  type: `It does not answer with JSON. ${anotherAddress}`,
  unusable: `Its answer is not that of a chat API. ${anotherAddress}`,
};

/** What to do about a refusal, by its status. */
const refusals: Readonly<Record<number, string>> = {
  401: 'Correct INLAY_AI_KEY.',
  403: 'Correct INLAY_AI_KEY, or allow it this model.',
  404: 'Correct INLAY_AI_BASE_URL, which ends before /chat/completions, and INLAY_AI_MODEL.',
  429: 'Wait, or raise the limits at the provider.',
};

interface CheckAnswer {
  readonly format: Format;
  readonly reply: ModelReply;
}

/** Sends a small request in the strictest format that the provider does not refuse. */
async function askModel({ endpoint, outbound }: CallableModel, timeoutMs: number): Promise<CheckAnswer> {
  let answered: CheckAnswer | null = null;
  for (const format of formats) {
    const body = bodyOf(endpoint.model, question, format, schema);
    const reply = await send(outbound, endpoint, body, timeoutMs, AbortSignal.timeout(timeoutMs));
    answered = { format, reply };
    if (reply.kind !== 'refused' || [401, 403, 429].includes(reply.status)) break;
  }
  return answered ?? { format: 'text', reply: { kind: 'failed', cause: 'unusable' } };
}

function findingOf({ format, reply }: CheckAnswer, { baseUrl, model }: CallableModel['endpoint'], ms: number): Finding {
  const name = `${model} at ${baseUrl}`;
  if (reply.kind === 'refused')
    return fail(
      check,
      `${name} refuses requests with status ${reply.status}`,
      refusals[reply.status] ?? 'See the log of the provider. The built-in engine makes the charts meanwhile.',
    );
  if (reply.kind === 'failed')
    return fail(check, `${name} cannot be asked: ${reply.cause}`, remedies[reply.cause] ?? anotherAddress);
  return format === 'text'
    ? warn(check, `${name} answers in ${ms} ms, but promises no JSON`, 'A model with JSON output makes fewer mistakes.')
    : ok(check, `${name} answers in ${ms} ms (${format})`);
}

/** Asks the configured model a small question, without any data of the service. */
export async function checkModel(config: Config): Promise<readonly Finding[]> {
  const { allowPrivateHosts, allowHosts, aiTimeoutS } = config;
  const outbound = createOutbound({ policy: { allowPrivateHosts, allowHosts } });
  const model = configuredModel(config, outbound);
  if (model === null) return [];
  const startedMs = performance.now();
  try {
    const answered = await askModel(model, aiTimeoutS * 1000);
    return [findingOf(answered, model.endpoint, Math.round(performance.now() - startedMs))];
  } finally {
    await outbound.close();
  }
}
