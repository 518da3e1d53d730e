import { pieces, type Lexis } from './pieces.ts';

/**
 * Replaces every literal of a statement by `?`, and removes comments. Keeps names, keywords and placeholders. Returns
 * null if the statement cannot be split into tokens reliably, because a literal might remain.
 */
export function withoutValues(sql: string, lexis: Lexis): string | null {
  const outputPieces: string[] = [];
  let previousPiece = '';
  try {
    for (const { kind, text, name } of pieces(sql, { ...lexis, parameter: /(?!)/uy })) {
      const isLiteral = (kind === 'quoted' && name === null) || (/^\d/u.test(text) && previousPiece !== '$');
      outputPieces.push(isLiteral ? '?' : kind === 'space' ? ' ' : text);
      previousPiece = text;
    }
  } catch {
    return null;
  }
  return outputPieces.join('').replace(/ +/gu, ' ').trim();
}
