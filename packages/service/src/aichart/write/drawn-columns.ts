import { columnsOfCondition, type Plan, type Quantity } from '../plan.ts';

/** Returns the columns of a quantity; null stands for the rows. */
const partsOf = ({ column, computed }: Quantity): readonly (number | null)[] => {
  if (computed === undefined || computed.kind === 'percentile') return [column];
  if (computed.kind === 'rate') return [column, computed.of ?? null];
  if (computed.kind === 'during') return [column, computed.time, ...partsOf(computed.of)];
  return [column, ...partsOf(computed.of), ...partsOf(computed.to)];
};

const known = (columns: readonly (number | null)[]): ReadonlySet<number> =>
  new Set(columns.filter((column) => column !== null));

/** Returns the columns that a plan draws, also within its formulas. */
export const drawnColumns = ({ groups, legend, quantities, across }: Plan): ReadonlySet<number> =>
  known([
    ...[...groups, ...(legend === null ? [] : [legend])].map(({ column }) => column),
    ...[...quantities, ...(across === null ? [] : [across])].flatMap(partsOf),
  ]);

/** Returns the columns that a plan draws or has conditions on. */
export const usedColumns = (plan: Plan): ReadonlySet<number> =>
  known([...drawnColumns(plan), ...plan.conditions.flatMap(columnsOfCondition)]);
