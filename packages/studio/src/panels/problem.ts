import { Failure } from '@inlay/client/transport';
import type { StudioWords } from '../words/languages/en.ts';

/** Returns what a person is told about a failed request. `ofCode` has texts for further error codes. */
export function failureText(
  { code, status, message }: Failure,
  { unreachable, refused }: StudioWords,
  ofCode: Readonly<Record<string, string>> = {},
): string {
  if (code === 'unreachable') return unreachable;
  const own = Object.hasOwn(ofCode, code) ? ofCode[code] : undefined;
  return own ?? (status === 403 ? refused : message);
}

/** Sends requests. Returns what the person is told if one fails; null if none does. */
export async function problemOf(
  send: () => Promise<void>,
  words: StudioWords,
  ofCode: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  try {
    await send();
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failureText(error, words, ofCode);
  }
}
