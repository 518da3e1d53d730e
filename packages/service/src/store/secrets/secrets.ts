import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey, type Keyring } from '../../config/keys.ts';

/** Location of a secret. A sealed text can only be opened for the location for which it was sealed. */
export interface SecretPlace {
  readonly resource: string;
  readonly id: string;
  readonly field: string;
  readonly organization: string | null;
}

/** Raised for a text that was sealed with a key that this instance does not have. */
export class SecretKeyMissing extends Error {
  readonly keyId: string;
  constructor(id: string) {
    super(`sealed by the secret key ${id}, which is not configured: add it to INLAY_SECRET_KEY_PREVIOUS`);
    this.keyId = id;
  }
}

/** Raised for a sealed text that was changed, truncated, or moved from another location. */
export class SecretTampered extends Error {
  constructor() {
    super('a sealed secret was changed or belongs to another place');
  }
}

const nonceBytes = 12;
const tagBytes = 16;

const additional = (part: 'key' | 'text', { resource, id, field, organization }: SecretPlace): Buffer =>
  Buffer.from(JSON.stringify(['inlay secret v1', part, resource, id, field, organization]));

function encrypt(key: Uint8Array, additionalData: Buffer, plainBytes: Uint8Array): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(additionalData);
  const body = Buffer.concat([cipher.update(plainBytes), cipher.final(), cipher.getAuthTag()]);
  return `${nonce.toString('base64url')}.${body.toString('base64url')}`;
}

function decrypt(key: Uint8Array, additionalData: Buffer, nonce: Buffer, body: Buffer): Buffer {
  const tagStart = body.length - tagBytes;
  if (nonce.length !== nonceBytes || tagStart < 0) throw new SecretTampered();
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(additionalData);
    cipher.setAuthTag(body.subarray(tagStart));
    return Buffer.concat([cipher.update(body.subarray(0, tagStart)), cipher.final()]);
  } catch {
    throw new SecretTampered();
  }
}

/** Decodes base64url. Raises an error for an encoding of the same bytes that is not canonical. */
function bytes(text: string): Buffer {
  const decodedBytes = Buffer.from(text, 'base64url');
  if (decodedBytes.toString('base64url') !== text) throw new SecretTampered();
  return decodedBytes;
}

function split(sealed: string) {
  const [version, keyId, wrapNonce, wrappedKey, nonce, body, ...more] = sealed.split('.');
  if (version !== 'v1' || !keyId || !wrapNonce || !wrappedKey || !nonce || !body || more.length > 0)
    throw new SecretTampered();
  return {
    keyId,
    wrapNonce: bytes(wrapNonce),
    wrapped: bytes(wrappedKey),
    nonce: bytes(nonce),
    body: bytes(body),
    text: `${nonce}.${body}`,
  };
}

function wrappingKey(keyring: Keyring, id: string): Uint8Array {
  const key = keyring.keys.get(id);
  if (key === undefined) throw new SecretKeyMissing(id);
  return deriveKey(key, 'stored secrets v1');
}

/**
 * Encrypts a secret for one location. A new data key encrypts the secret, and a key of the keyring wraps the data key.
 * Both use AES-256-GCM and are bound to the location. Format: `v1.<key id>.<wrap nonce>.<wrapped key>.<nonce>.<text>`.
 * Raises SecretKeyMissing.
 */
export function seal(keyring: Keyring, keyId: string, place: SecretPlace, plainText: string): string {
  const dataKey = randomBytes(32);
  const wrappedKey = encrypt(wrappingKey(keyring, keyId), additional('key', place), dataKey);
  return `v1.${keyId}.${wrappedKey}.${encrypt(dataKey, additional('text', place), Buffer.from(JSON.stringify(plainText)))}`;
}

/** Decrypts the output of `seal`. Raises SecretKeyMissing, SecretTampered. */
export function open(keyring: Keyring, place: SecretPlace, sealed: string): string {
  const parts = split(sealed);
  const dataKey = decrypt(wrappingKey(keyring, parts.keyId), additional('key', place), parts.wrapNonce, parts.wrapped);
  const secretText: unknown = JSON.parse(
    decrypt(dataKey, additional('text', place), parts.nonce, parts.body).toString(),
  );
  if (typeof secretText !== 'string') throw new SecretTampered();
  return secretText;
}

/** Returns the id of the key that sealed a text. Raises SecretTampered for any other text. */
export const sealedBy = (sealed: string): string => split(sealed).keyId;

/**
 * Wraps the data key of a sealed text with another key of the keyring, for key rotation. Raises SecretKeyMissing,
 * SecretTampered.
 */
export function rewrap(keyring: Keyring, toKeyId: string, place: SecretPlace, sealed: string): string {
  const parts = split(sealed);
  const keyPlace = additional('key', place);
  const dataKey = decrypt(wrappingKey(keyring, parts.keyId), keyPlace, parts.wrapNonce, parts.wrapped);
  return `v1.${toKeyId}.${encrypt(wrappingKey(keyring, toKeyId), keyPlace, dataKey)}.${parts.text}`;
}
