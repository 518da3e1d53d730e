import { isList, isObject, type Json } from '@inlay/contract';
import { PluginFault } from './fault.ts';

/**
 * Outcome of a call to a plugin's /authorize: the plugin accepts the account, asks for consent on a page, or refuses
 * with a message.
 */
export type Authorization =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'consent'; readonly url: string }
  | { readonly kind: 'refused'; readonly message: string };

/** The credentials that a plugin returns for an authorization code. */
export interface PluginCredential {
  readonly token: string;
  readonly key: string | null;
}

const longestWords = 300;
const longestToken = 10_000;

const parseJson = (text: string): Json | undefined => {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
};

const wordsIn = (value: Json | undefined): string | undefined => {
  if (typeof value === 'string') return value;
  if (value === undefined || !isObject(value)) return undefined;
  return ['message', 'error_description', 'error', 'description']
    .map((name) => wordsIn(value[name]))
    .find((words) => words !== undefined && words.trim() !== '');
};

/**
 * Returns the message of a refusal for display: one line of limited length, without the secrets that were part of the
 * call. Ignores HTML.
 */
export function refusalWords(status: number, mediaType: string, text: string, secrets: readonly string[]): string {
  const isJson = /\bjson\b/iu.test(mediaType);
  const message = isJson ? wordsIn(parseJson(text)) : /^text\/plain\b/iu.test(mediaType) ? text : undefined;
  const redactedMessage = secrets
    .filter((secret) => secret.length >= 4)
    .reduce((partialMessage, secret) => partialMessage.replaceAll(secret, '…'), message ?? '');
  const line = redactedMessage
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, longestWords);
  return line === '' ? `status ${status}` : line;
}

/**
 * Interprets the answer to /authorize. A status of 2xx or 404 accepts, unless the answer asks for consent. Any other
 * status refuses (specification/plugin-protocol#answers). Raises PluginFault.
 */
export function authorizationOf(
  answer: { readonly status: number; readonly mediaType: string; readonly text: string },
  { secrets, isOauth2, isPlainAllowed }: { secrets: readonly string[]; isOauth2: boolean; isPlainAllowed: boolean },
): Authorization {
  const { status, mediaType, text } = answer;
  if (status !== 404 && (status < 200 || status > 299))
    return { kind: 'refused', message: refusalWords(status, mediaType, text, secrets) };
  const body = parseJson(text);
  const url = body !== undefined && isObject(body) ? body['auth_url'] : undefined;
  if (!isOauth2 || status === 404 || url === undefined) return { kind: 'accepted' };
  const isWeb = typeof url === 'string' && url.length <= 4000 && URL.canParse(url);
  const protocol = isWeb ? new URL(url).protocol : '';
  if (!isWeb || !(protocol === 'https:' || (isPlainAllowed && protocol === 'http:')))
    throw new PluginFault('shape', 'answers /authorize with an auth_url that is not an https address');
  return { kind: 'consent', url };
}

/**
 * Reads the answer to /exchange. In `{token, key?}`, `token` is the token; otherwise the whole text is. Raises
 * PluginFault.
 */
export function exchangedOf(text: string): PluginCredential {
  const body = parseJson(text);
  const members = body !== undefined && isObject(body) ? body : {};
  const { token, key } = members;
  const isEmpty = body === undefined || body === null || body === '' || (isList(body) && body.length === 0);
  if (isEmpty || (isObject(body) && Object.keys(body).length === 0))
    throw new PluginFault('shape', 'answers /exchange with nothing to keep');
  const tokenText = typeof token === 'string' && token !== '' ? token : JSON.stringify(body);
  if (tokenText.length > longestToken)
    throw new PluginFault('limit', 'answers /exchange with more than 10,000 characters');
  return {
    token: typeof body === 'string' ? body : tokenText,
    key: typeof key === 'string' && key !== '' ? key : null,
  };
}
