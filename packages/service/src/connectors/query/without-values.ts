import { pieces, type Lexis } from './pieces.ts';
import { rules } from './check.ts';

/** Lexical rules by dialect. The engine uses the rules of PostgreSQL. */
const lexes = {
  postgres: { ...rules.postgres, parameter: /(?!)/uy },
  duckdb: { ...rules.postgres, parameter: /(?!)/uy },
  mysql: { ...rules.mysql, parameter: /(?!)/uy },
} as const satisfies Readonly<Record<string, Lexis>>;

export type StatementDialect = keyof typeof lexes;

/**
 * Replaces every literal of a statement by `?`, and removes comments. Keeps names, keywords and placeholders. Returns
 * null if the statement cannot be split into tokens reliably, because a literal might remain.
 */
export function withoutValues(sql: string, dialect: StatementDialect): string | null {
  const outputPieces: string[] = [];
  let previousPiece = '';
  try {
    for (const { kind, text, name } of pieces(sql, lexes[dialect])) {
      const isLiteral = (kind === 'quoted' && name === null) || (/^\d/u.test(text) && previousPiece !== '$');
      outputPieces.push(isLiteral ? '?' : kind === 'space' ? ' ' : text);
      previousPiece = text;
    }
  } catch {
    return null;
  }
  return outputPieces.join('').replace(/ +/gu, ' ').trim();
}
