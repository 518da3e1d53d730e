import { pieces, type Lexis } from './pieces.ts';
import { rules } from './check.ts';

/** How the statements of a dialect are read; the engine reads ours as PostgreSQL does. */
const lexes = {
  postgres: { ...rules.postgres, parameter: /(?!)/uy },
  duckdb: { ...rules.postgres, parameter: /(?!)/uy },
  mysql: { ...rules.mysql, parameter: /(?!)/uy },
} as const satisfies Readonly<Record<string, Lexis>>;

export type StatementDialect = keyof typeof lexes;

/**
 * A statement with `?` in place of every literal, and without comments: names, keywords and placeholders stay. Null where it cannot be
 * read for certain, since a literal might be left in it.
 */
export function withoutValues(sql: string, dialect: StatementDialect): string | null {
  const written: string[] = [];
  let before = '';
  try {
    for (const { kind, text, name } of pieces(sql, lexes[dialect])) {
      const isLiteral = (kind === 'quoted' && name === null) || (/^\d/u.test(text) && before !== '$');
      written.push(isLiteral ? '?' : kind === 'space' ? ' ' : text);
      before = text;
    }
  } catch {
    return null;
  }
  return written.join('').replace(/ +/gu, ' ').trim();
}
