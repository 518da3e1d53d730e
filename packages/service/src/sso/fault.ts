import type { JsonObject } from '@inlay/contract';

/** Why a sign-in did not succeed, as a closed set of words, each with the status of its page. */
export const causes = {
  organization_unknown: 404,
  not_set_up: 404,
  set_up_wrong: 400,
  return_refused: 400,
  cookie_missing: 400,
  already_used: 400,
  refused_by_provider: 400,
  provider_down: 502,
  provider_slow: 504,
  provider_wrong: 502,
  issuer_mismatch: 400,
  secret_wrong: 400,
  code_refused: 400,
  token_refused: 400,
  clock: 400,
  person_incomplete: 400,
  email_taken: 403,
  not_a_member: 403,
  password_wrong: 400,
  changed_meanwhile: 400,
  busy: 503,
} as const;

export type Cause = keyof typeof causes;

/**
 * A sign-in that did not succeed. The detail is for whoever sets single sign-on up: a sentence that never holds a secret, a
 * token, or a part of what the provider answered beyond its words for the error.
 */
export class SignOnFault extends Error {
  override readonly cause: Cause;

  constructor(cause: Cause, detail: string) {
    super(detail);
    this.name = 'SignOnFault';
    this.cause = cause;
  }
}

/** A text that came from outside, short and on one line, to be quoted. */
export const quoted = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value);
  const line = text.replaceAll(/[^\x20-\x7e]+/gu, ' ');
  return `"${line.length > 200 ? `${line.slice(0, 200)}…` : line}"`;
};

/** A text member of an object; null where there is none. */
export const textOf = (object: JsonObject, name: string): string | null => {
  const value = object[name];
  return typeof value === 'string' && value !== '' ? value : null;
};
