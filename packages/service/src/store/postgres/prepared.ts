const mostKept = 300;
const mostSeen = 2_000;

/**
 * Says which texts to prepare: from their second use on, and no more than 300 of them, since the server keeps a prepared
 * statement for as long as the connection lives.
 */
export function keptTexts(): (text: string) => boolean {
  const kept = new Set<string>();
  const seen = new Set<string>();
  return (text) => {
    if (kept.has(text)) return true;
    if (kept.size >= mostKept) return false;
    if (seen.delete(text)) {
      kept.add(text);
      return true;
    }
    if (seen.size >= mostSeen) seen.clear();
    seen.add(text);
    return false;
  };
}
