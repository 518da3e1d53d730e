import { keptStatements } from '../statements.ts';

const mostSeen = { texts: 2_000, letters: 4_000_000 } as const;

/**
 * Says which texts to prepare: from their second use on, and no more than are kept, since the server keeps a prepared
 * statement for as long as the connection lives.
 */
export function keptTexts(): (text: string) => boolean {
  const kept = new Set<string>();
  const seen = new Set<string>();
  let letters = 0;
  return (text) => {
    if (kept.has(text)) return true;
    if (kept.size >= keptStatements.most || text.length > keptStatements.longest) return false;
    if (seen.delete(text)) {
      letters -= text.length;
      kept.add(text);
      return true;
    }
    if (seen.size >= mostSeen.texts || letters > mostSeen.letters) {
      seen.clear();
      letters = 0;
    }
    seen.add(text);
    letters += text.length;
    return false;
  };
}
