import { maxCharacters, weightOf } from '../statements.ts';

/**
 * Creates a function that decides if a statement should be prepared: from its second use on, while the total size is
 * below a limit. The server keeps prepared statements for the lifetime of a connection.
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
