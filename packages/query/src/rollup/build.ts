import { duckdb } from '../dialect/duckdb.ts';
import { emit } from '../emit.ts';
import { emitContext, writeSelect } from '../emit/select.ts';
import { statement, type Relation, type Statement } from '../emit/statement.ts';
import {
  aggregate,
  column,
  selectOf,
  type Expression,
  type ScanColumn,
  type Select,
  type SelectColumn,
} from '../expression.ts';
import { cellOf } from '../plan/measures.ts';
import { valueType } from '../plan/expressions/values.ts';
import { rollupColumn, shapeAlias, wallClock, type RollupPart, type RollupShape } from './shape.ts';

const valueOf = ({ name, storageType }: ScanColumn): Expression => column(shapeAlias, name, valueType(storageType));

/** Returns the type of the values of a part. */
export function typeOfPart({ name, of }: RollupPart): Expression['type'] {
  if (name === 'rows' || name === 'count' || of === null) return 'integer';
  return name === 'average' || name === 'deviation' ? 'double' : of.type;
}

const aggregateOf = (part: RollupPart): Expression =>
  aggregate(part.name, part.of === null ? [] : [part.of], typeOfPart(part));

function groupsOf({ columns, times }: RollupShape): readonly SelectColumn[] {
  return [
    ...columns.map((entry, index) => ({ as: rollupColumn.column(index), of: valueOf(entry) })),
    ...times.map(({ column: entry, zone, level, weekstart }, index): SelectColumn => {
      const of = wallClock(valueOf(entry), zone);
      return { as: rollupColumn.time(index), of: { kind: 'truncate', of, level, weekstart, type: of.type } };
    }),
  ];
}

/** Groups all rows of a dataset as a rollup does. Row filters apply when the rollup is read. */
function selectOfShape(datasetId: string, shape: RollupShape, values: readonly SelectColumn[]): Select {
  const groups = groupsOf(shape);
  const reads = [
    ...shape.columns,
    ...shape.times.map((time) => time.column),
    ...shape.parts.flatMap((part) => part.reads),
  ];
  const columns = [...new Map(reads.map((entry) => [entry.name, entry])).values()];
  const scan = { kind: 'scan', datasetId, columns, rowFilters: [], filters: [] } as const;
  return { ...selectOf(scan, shapeAlias, [...groups, ...values]), grouped: groups.length };
}

/** Writes the statement whose rows are those of a rollup. `relation` has the rows of the dataset. */
export function emitRollup(shape: RollupShape, relation: Relation): Statement {
  const values = shape.parts.map((part, index) => ({ as: rollupColumn.part(index), of: aggregateOf(part) }));
  return statement(
    duckdb,
    writeSelect(
      emitContext(duckdb, () => relation),
      selectOfShape('', shape, values),
    ),
    [],
  );
}

/** Writes the statement that counts the rows that a rollup would have, as JSON. */
export function emitRollupRows(shape: RollupShape, relation: Relation): Statement {
  const count = { as: 'n', of: aggregate('rows', [], 'integer') };
  const groups = selectOfShape('', { ...shape, parts: [] }, [count]);
  const body = { ...selectOf(groups, 'g', [count]), grouped: 0 };
  const cells = [{ cell: cellOf('integer'), of: [column('q', 'n', 'integer')] }];
  return emit({ body, cells, locale: 'en' }, duckdb, () => relation, 'json');
}
