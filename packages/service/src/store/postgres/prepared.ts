import { maxCharacters, weightOf } from '../statements.ts';

/**
 * Decides which statements to prepare: from their second use on, up to a total size, since the server keeps prepared
 * statements for the lifetime of a connection.
 */
export function createPreparedTexts(): (text: string) => boolean {
  const preparedTexts = new Set<string>();
  const seenTexts = new Set<string>();
  const weight = { kept: 0, seen: 0 };
  return (text) => {
    if (preparedTexts.has(text)) return true;
    if (weight.kept + weightOf(text) > maxCharacters) return false;
    if (seenTexts.delete(text)) {
      preparedTexts.add(text);
      weight.kept += weightOf(text);
      return true;
    }
    if (weight.seen > maxCharacters) {
      seenTexts.clear();
      weight.seen = 0;
    }
    seenTexts.add(text);
    weight.seen += weightOf(text);
    return false;
  };
}
