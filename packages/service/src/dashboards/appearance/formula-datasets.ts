import { filledText, isUuid } from '@inlay/contract';
import { columnsOfFormula } from '@inlay/query';
import type { Caller } from '../../access/caller.ts';
import type { Registry } from '../../resource/registry.ts';
import { visible } from '../../search/compile.ts';
import { list, name, sql, text, type Sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';

/** A formula that names no dataset: the id of a stored formula, or the text of a formula. */
export interface LooseFormula {
  readonly formulaId: string | null;
  readonly text: string | null;
}

/** Maximum number of formulas per request whose datasets are determined. */
const maxFormulas = 5000;
const idsTogether = 1000;

type Kind = 'formula' | 'column';

/** Returns a condition on columns or formulas. `t` is the alias of their table. */
export type RecordFilter = (kind: Kind) => Sql;

/** Matches the records that a caller may see. */
export const visibleTo =
  ({ dialect }: Reader, registry: Registry, caller: Caller): RecordFilter =>
  (kind) =>
    visible({ dialect, resource: registry.resource(kind), alias: text('t'), caller });

const columnsNamed = ({ text }: LooseFormula): readonly string[] =>
  text === null ? [] : columnsOfFormula(text).map((id) => id.toLowerCase());

async function parentsOf(reader: Reader, kind: Kind, ids: readonly string[], where: Sql) {
  const parents = new Map<string, string>();
  const uuids = [...new Set(ids)].filter(isUuid).slice(0, maxFormulas);
  for (let start = 0; start < uuids.length; start += idsTogether) {
    const someIds = list(uuids.slice(start, start + idsTogether));
    const rows = await reader.rows(
      sql`select t.id, t.securable_id from ${name(kind)} t where t.id in ${someIds} and ${where}`,
    );
    for (const row of rows) {
      const parent = filledText(row['securable_id']);
      if (parent !== null) parents.set(String(row['id']), parent);
    }
  }
  return parents;
}

/**
 * Determines the dataset of each formula: that of the stored formula, or of the first column in the text. Only records
 * that match `where` count. The returned function gives null if there is no such record.
 */
export async function datasetsOfFormulas(
  reader: Reader,
  where: RecordFilter,
  formulas: readonly LooseFormula[],
): Promise<(formula: LooseFormula) => string | null> {
  const idOf = ({ formulaId }: LooseFormula): string => formulaId?.toLowerCase() ?? '';
  const byId = await parentsOf(reader, 'formula', formulas.map(idOf), where('formula'));
  const byColumn = await parentsOf(reader, 'column', formulas.flatMap(columnsNamed), where('column'));
  return (formula) => {
    const ownDataset = byId.get(idOf(formula));
    if (ownDataset !== undefined || formula.formulaId !== null) return ownDataset ?? null;
    return columnsNamed(formula).flatMap((id) => byColumn.get(id) ?? [])[0] ?? null;
  };
}
