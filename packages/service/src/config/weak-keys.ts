import { createHash } from 'node:crypto';

/** Words of sample configurations and well-known passwords. */
const sampleWords = [
  'abcdefgh',
  'abc123',
  'admin',
  'administrator',
  'bootstrap',
  'changeit',
  'changeme',
  'change_me',
  'change-me',
  'correcthorsebatterystaple',
  'default',
  'example',
  'iloveyou',
  'inlay',
  'insecure',
  'letmein',
  'placeholder',
  'password',
  'passw0rd',
  'p@ssw0rd',
  'postgres',
  'qwerty',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'replaceme',
  'secret',
  'secretkey',
  'supersecret',
  'thisisa',
  'trustno1',
  'welcome',
  'yoursecret',
  'your-secret',
  'your_secret',
] as const;

/** Sample keys from standards, as hex: NIST SP 800-38A (AES-256) and RFC 8439 (A.5). */
const publishedKeys: readonly string[] = [
  '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
  '1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0',
];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const step = (values: ArrayLike<number>): number | undefined => {
  const firstStep = (values[1] ?? 0) - (values[0] ?? 0);
  for (let index = 1; index < values.length; index += 1)
    if ((values[index] ?? 0) - (values[index - 1] ?? 0) !== firstStep) return undefined;
  return firstStep;
};

const repeats = (values: ArrayLike<number>): boolean => {
  for (let period = 1; period <= values.length / 2; period += 1) {
    let isPeriodic = true;
    for (let index = period; isPeriodic && index < values.length; index += 1)
      isPeriodic = values[index] === values[index - period];
    if (isPeriodic) return true;
  }
  return false;
};

const patternOf = (values: ArrayLike<number>, atLeastDistinct: number): string | undefined => {
  if (repeats(values)) return 'is one pattern repeated';
  if (step(values) !== undefined) return 'is a plain sequence';
  const distinctCount = new Set(Array.from(values)).size;
  return distinctCount < atLeastDistinct ? `has only ${distinctCount} different values` : undefined;
};

/**
 * Returns why 32 key bytes are guessable; undefined if they are not. Guessable are repeated or sequential bytes, too
 * few distinct bytes, readable text, published sample keys, and the SHA-256 of a well-known word.
 */
export function weakKey(key: Uint8Array): string | undefined {
  const pattern = patternOf(key, 16);
  if (pattern !== undefined) return pattern;
  if (key.every((byte) => byte >= 0x20 && byte < 0x7f)) return 'is readable text, not random bytes';
  const hex = Buffer.from(key).toString('hex');
  if (publishedKeys.includes(hex)) return 'is a published sample key';
  return ['', 'test', 'key', ...sampleWords].some((word) => sha256(word) === hex)
    ? 'is the hash of a well-known word'
    : undefined;
}

const codes = (text: string): readonly number[] => Array.from(text, (letter) => letter.codePointAt(0) ?? 0);

/** Returns a text in lower case from which well-known words are removed, longest first. */
const withoutSampleWords = (text: string): string =>
  [...sampleWords]
    .toSorted((left, right) => right.length - left.length)
    .reduce((rest, word) => rest.replaceAll(word, ''), text.toLowerCase());

/**
 * Returns why an alphanumeric token is guessable; undefined if it is not. A random token can contain a short word by
 * chance. So a word of fewer than eight characters only counts if fewer than 24 characters remain without all words.
 */
export function weakToken(token: string): string | undefined {
  const pattern = patternOf(codes(token), 12);
  if (pattern !== undefined) return pattern;
  const lowerCaseToken = token.toLowerCase();
  const remaining = withoutSampleWords(token).length;
  const containsWord = sampleWords.some(
    (word) => lowerCaseToken.includes(word) && (word.length >= 8 || remaining < 24),
  );
  return containsWord ? 'contains a well-known word' : undefined;
}

/**
 * Returns why a password is among the first guesses; undefined if it is not. Guessable are fewer than 12 characters, a
 * pattern, and well-known words with digits and punctuation.
 */
export function weakPassword(password: string): string | undefined {
  const codePoints = codes(password);
  if (codePoints.length < 12) return 'has fewer than 12 characters';
  const pattern = patternOf(codePoints, 6);
  if (pattern !== undefined) return pattern;
  const rest = withoutSampleWords(password).replace(/[\d\p{P}\p{S}\s]/gu, '');
  return rest.length < 4 ? 'is a well-known password' : undefined;
}
