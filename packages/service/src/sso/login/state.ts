import { timingSafeEqual } from 'node:crypto';
import { isObject, textOr, type Json, type JsonObject } from '@inlay/contract';
import type { Keyring } from '../../config/keys.ts';
import { open, seal, SecretKeyMissing, SecretTampered } from '../../store/secrets/secrets.ts';
import { SignOnFault } from '../fault.ts';

/**
 * How the requesting page receives its login: by a message to its window, by a code, or not at all (an owner's test, or
 * a sign-in without a requesting page).
 */
export type HandOver =
  | { readonly kind: 'message'; readonly origin: string }
  | { readonly kind: 'code'; readonly returnTo: string; readonly challenge: string }
  | { readonly kind: 'test'; readonly userId: string }
  | { readonly kind: 'none' };

/** State of a pending sign-in. The browser stores it sealed, so that any instance can continue the sign-in. */
export interface LoginState {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly configurationId: string;
  readonly organization: string;
  readonly fingerprint: string;
  readonly handOver: HandOver;
  /** Milliseconds since 1970. */
  readonly until: number;
}

export const loginLastsMs = 600_000;

/** Seals data that the browser stores. Text that was sealed for one purpose and name cannot be opened for another. */
export interface Sealer {
  seal(purpose: string, name: string, value: JsonObject): string;
  /**
   * Returns the sealed value. Returns undefined if the text was altered, sealed for another purpose, or sealed with a
   * removed key.
   */
  open(purpose: string, name: string, sealed: string): JsonObject | undefined;
}

/** Creates a sealer that uses the current key. It reloads the keyring if a key is missing. */
export function createSealer(readKeyring: () => Keyring): Sealer {
  let ring: Keyring | undefined;
  const place = (purpose: string, name: string) => ({ resource: 'sso', id: name, field: purpose, organization: null });
  return {
    seal: (purpose, name, value) => {
      ring ??= readKeyring();
      return seal(ring, ring.current, place(purpose, name), JSON.stringify(value));
    },
    open: (purpose, name, sealed) => {
      const attempt = (keyring: Keyring): JsonObject | undefined => {
        const content: Json = JSON.parse(open(keyring, place(purpose, name), sealed));
        return isObject(content) ? content : undefined;
      };
      try {
        return attempt((ring ??= readKeyring()));
      } catch (error) {
        if (error instanceof SecretTampered) return undefined;
        if (!(error instanceof SecretKeyMissing)) throw error;
      }
      try {
        return attempt((ring = readKeyring()));
      } catch (error) {
        if (error instanceof SecretTampered || error instanceof SecretKeyMissing) return undefined;
        throw error;
      }
    },
  };
}

/** Returns the name of a cookie. `__Host-` restricts a cookie to https and this host. */
export const cookieName = (secure: boolean, state: string): string =>
  `${secure ? '__Host-' : ''}inlay-sso-${state.slice(0, 12)}`;

/** Returns the pending sign-in cookies in a Cookie header, by name. */
export function ourCookies(header: string | undefined): ReadonlyMap<string, string> {
  const pairs = (header ?? '').split(/; */u).flatMap((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    return at > 0 && /^(?:__Host-)?inlay-sso-[\w-]{12}$/u.test(name) ? [[name, pair.slice(at + 1)] as const] : [];
  });
  return new Map(pairs);
}

export const setCookie = (secure: boolean, name: string, value: string): string =>
  `${name}=${value}; Path=/; Max-Age=${value === '' ? 0 : loginLastsMs / 1000}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

/** Parses a sealed hand-over. */
export function readHandOver(value: Json | undefined): HandOver {
  const object: JsonObject = value !== undefined && isObject(value) ? value : {};
  const { kind } = object;
  if (kind === 'message') return { kind, origin: textOr(object['origin'], '') };
  if (kind === 'code')
    return { kind, returnTo: textOr(object['returnTo'], ''), challenge: textOr(object['challenge'], '') };
  if (kind === 'test') return { kind, userId: textOr(object['userId'], '') };
  return { kind: 'none' };
}

const isSame = (left: string, right: string): boolean => {
  const [entry, other] = [Buffer.from(left), Buffer.from(right)];
  return entry.length === other.length && timingSafeEqual(entry, other);
};

/**
 * Returns the pending sign-in that has a state. It must have been started in this browser. Raises SignOnFault
 * `cookie_missing`.
 */
export function loginStateOf(
  sealer: Sealer,
  cookies: ReadonlyMap<string, string>,
  { state, secure, nowMs }: { readonly state: string; readonly secure: boolean; readonly nowMs: number },
): LoginState {
  const missingCookie = (detail: string): SignOnFault => new SignOnFault('cookie_missing', detail);
  if (!/^[\w-]{43}$/u.test(state)) throw missingCookie('The address has no state of a sign-in that began here.');
  const name = cookieName(secure, state);
  const sealed = cookies.get(name);
  const content = sealed === undefined ? undefined : sealer.open('login', name, sealed);
  if (content === undefined) throw missingCookie('This browser has no cookie of the sign-in, or one that was changed.');
  const knownState = textOr(content['state'], '');
  if (!isSame(knownState, state)) throw missingCookie('The sign-in is another one.');
  const until = Number(content['until']);
  if (!(until > nowMs)) throw missingCookie('The sign-in took longer than ten minutes.');
  return {
    state,
    nonce: textOr(content['nonce'], ''),
    verifier: textOr(content['verifier'], ''),
    configurationId: textOr(content['configurationId'], ''),
    organization: textOr(content['organization'], ''),
    fingerprint: textOr(content['fingerprint'], ''),
    handOver: readHandOver(content['handOver']),
    until,
  };
}
