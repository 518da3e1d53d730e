import type { JsonObject } from '@inlay/contract';

/** Causes of a failed sign-in, each with the HTTP status of the error page. */
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
 * A failed sign-in. The message is for the administrator: a sentence without secrets and tokens, and without parts of
 * the provider's response other than its error message.
 */
export class SignOnFault extends Error {
  override readonly cause: Cause;

  constructor(cause: Cause, detail: string) {
    super(detail);
    this.name = 'SignOnFault';
    this.cause = cause;
  }
}

/** Shortens untrusted text to a single line for a quotation. */
export const quoted = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value);
  const line = text.replaceAll(/[^\x20-\x7e]+/gu, ' ');
  return `"${line.length > 200 ? `${line.slice(0, 200)}…` : line}"`;
};

/** Returns a member of an object if it is a text; otherwise null. */
export const textOf = (object: JsonObject, name: string): string | null => {
  const value = object[name];
  return typeof value === 'string' && value !== '' ? value : null;
};
