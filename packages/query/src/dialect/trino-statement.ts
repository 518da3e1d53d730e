import { QueryProblem } from '../problem.ts';
import type { Scalar } from '../query.ts';

/** Texts that fit in a plain literal, in which only quotes are doubled. Other texts need `U&'…'`. */
const plain = /^[ -~]*$/u;

const escape = (character: string): string => {
  if (character === "'") return "''";
  if (character === '\\') return '\\\\';
  if (plain.test(character)) return character;
  return `\\+${(character.codePointAt(0) ?? 0).toString(16).padStart(6, '0')}`;
};

/**
 * Writes a text as a literal of Trino: printable ASCII as it is, all other characters as escapes.
 * @throws QueryProblem `unsupported` for invalid Unicode, which Trino cannot represent
 */
export function trinoText(text: string): string {
  if (!text.isWellFormed()) throw new QueryProblem('unsupported', '', 'A text is not valid Unicode.');
  return plain.test(text) ? `'${text.replaceAll("'", "''")}'` : `U&'${Array.from(text, escape).join('')}'`;
}

/**
 * Returns the one statement that runs a statement of the dialect `trino` with its values. The protocol binds no values:
 * they are literals after USING, all of them texts, which the statement casts.
 */
export function trinoStatement({ sql, params }: { readonly sql: string; readonly params: readonly Scalar[] }): string {
  const using = params.length === 0 ? '' : ` USING ${params.map((value) => trinoText(String(value))).join(', ')}`;
  return `EXECUTE IMMEDIATE ${trinoText(sql)}${using}`;
}
