import { isObject, type Json, type JsonObject } from '@inlay/contract';

const maxLength = 32_768;

/**
 * Returns the JSON object in a model's answer, which may be surrounded by code fences or other words. Returns undefined
 * if there is none.
 */
export function objectIn(text: string): JsonObject | undefined {
  if (text.length > maxLength) return undefined;
  for (const piece of [text, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)]) {
    try {
      const answer: Json = JSON.parse(piece);
      if (isObject(answer)) return answer;
    } catch {
      continue;
    }
  }
  return undefined;
}
