import { mostLetters, weightOf } from '../statements.ts';

/**
 * Says which texts to prepare: from their second use on, and no more than weigh so much together, since the server keeps a
 * prepared statement for as long as the connection lives.
 */
export function keptTexts(): (text: string) => boolean {
  const kept = new Set<string>();
  const seen = new Set<string>();
  const weight = { kept: 0, seen: 0 };
  return (text) => {
    if (kept.has(text)) return true;
    if (weight.kept + weightOf(text) > mostLetters) return false;
    if (seen.delete(text)) {
      kept.add(text);
      weight.kept += weightOf(text);
      return true;
    }
    if (weight.seen > mostLetters) {
      seen.clear();
      weight.seen = 0;
    }
    seen.add(text);
    weight.seen += weightOf(text);
    return false;
  };
}
