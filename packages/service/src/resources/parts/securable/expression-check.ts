import { textOr } from '@inlay/contract';
import type { Caller } from '../../../access/caller.ts';
import { columnsOfFormula, formulaFault, type FormulaColumnType } from '@inlay/query';
import type { Rule, Work } from '../../../resource/rules.ts';
import { membersOf } from '../../../declare/warnings.ts';
import { list, sql } from '../../../store/sql.ts';

const types: readonly FormulaColumnType[] = ['numeric', 'datetime', 'hierarchy', 'spatial'];

/** Returns the types of the organization's columns by id. Columns hidden from the caller are left out. */
async function typesOf({ transaction }: Work, { organizationId, hiddenColumns }: Caller, named: readonly string[]) {
  const ids = named.filter((id) => !hiddenColumns.includes(id));
  if (ids.length === 0) return new Map<string, FormulaColumnType>();
  const rows = await transaction.rows(
    sql`select c.id, c.type, c.kept from "column" c where c.organization_id = ${organizationId} and c.id in ${list(ids)}`,
  );
  return new Map(
    rows.map(({ id, type, kept }) => {
      const stated = types.find((known) => known === type) ?? 'hierarchy';
      return [String(id), kept === 'boolean' ? 'boolean' : stated] as const;
    }),
  );
}

/**
 * Warns of an expression that cannot be computed. Such an expression is stored nevertheless.
 * specification/formulas#when-a-formula-is-checked
 */
export const checkExpression: Rule = {
  name: 'check-expression',
  on: ['create', 'update'],
  description: 'The response warns of an expression that cannot be read, or that names a column which is not there.',
  afterwards: true,
  run: async ({ sent, caller }, work) => {
    const text = textOr(sent['expression'], '');
    if (text === '' || caller === null) return undefined;
    const ids = columnsOfFormula(text).map((id) => id.toLowerCase());
    const known = await typesOf(work, caller, ids);
    const fault = formulaFault(text, (id) => known.get(id.toLowerCase()));
    if (fault === null) return undefined;
    return {
      shown: membersOf([
        { path: 'properties.expression', code: 'formula_invalid', message: `cannot be computed: ${fault}` },
      ]),
    };
  },
};
