import { duckdb } from '../dialect/duckdb.ts';
import { emit } from '../emit.ts';
import { emitContext, writeSelect } from '../emit/select.ts';
import { statement, type Relation, type Statement } from '../emit/statement.ts';
import {
  aggregate,
  column,
  selectOf,
  type Expression,
  type Scan,
  type ScanColumn,
  type Select,
  type SelectColumn,
} from '../expression.ts';
import { cellOf } from '../plan/measures.ts';
import { valueType } from '../plan/expressions/values.ts';
import { withAlias } from '../plan/expressions/walk.ts';
import { rollupColumn, shapeAlias, wallClock, type RollupPart, type RollupShape } from './shape.ts';

const valueOf = ({ name, storageType }: ScanColumn): Expression => column(shapeAlias, name, valueType(storageType));

/** Returns the type of the values of a part. */
export function typeOfPart({ name, of }: RollupPart): Expression['type'] {
  if (name === 'rows' || name === 'count' || of === null) return 'integer';
  return name === 'average' || name === 'deviation' ? 'double' : of.type;
}

const wholeAlias = 'w';
/** Absolute values from here on have infinite squares, so they have no deviation. */
const squareLimit = 1e150;

/** Returns the average of the values of all rows that have a square; 0 if there is none. */
function averageOfAll(scan: Scan, value: Expression): Expression {
  const of = withAlias(value, shapeAlias, wholeAlias);
  const limit: Expression = { kind: 'literal', value: squareLimit, type: 'double' };
  const size: Expression = { kind: 'call', name: 'abs', args: [of], type: 'double' };
  const test: Expression = { kind: 'call', name: '<', args: [size, limit], type: 'boolean' };
  const average = aggregate(
    'average',
    [{ kind: 'case', when: [{ test, result: of }], otherwise: null, type: 'double' }],
    'double',
  );
  const zero: Expression = { kind: 'literal', value: 0, type: 'double' };
  const column: SelectColumn = {
    as: 'v',
    of: { kind: 'call', name: 'coalesce', args: [average, zero], type: 'double' },
  };
  return { kind: 'subquery', select: { ...selectOf(scan, wholeAlias, [column]), grouped: 0 }, type: 'double' };
}

/**
 * Averages and deviations are those of the distances to the average of all rows. Only the differences of averages are
 * needed, and those of large values would have few right digits.
 */
function aggregateOf(scan: Scan, part: RollupPart): Expression {
  if (part.of === null) return aggregate(part.name, [], typeOfPart(part));
  if (part.name !== 'average' && part.name !== 'deviation') return aggregate(part.name, [part.of], typeOfPart(part));
  const value: Expression = { kind: 'cast', of: part.of, type: 'double' };
  const distance: Expression = { kind: 'call', name: '-', args: [value, averageOfAll(scan, value)], type: 'double' };
  return aggregate(part.name, [distance], 'double');
}

function groupsOf({ columns, times }: RollupShape): readonly SelectColumn[] {
  return [
    ...columns.map((entry, index) => ({ as: rollupColumn.column(index), of: valueOf(entry) })),
    ...times.map(({ column: entry, zone, level, weekstart }, index): SelectColumn => {
      const of = wallClock(valueOf(entry), zone);
      return { as: rollupColumn.time(index), of: { kind: 'truncate', of, level, weekstart, type: of.type } };
    }),
  ];
}

/** Returns all rows of a dataset. Row filters apply when the rollup is read. */
function scanOf(datasetId: string, shape: RollupShape): Scan {
  const reads = [
    ...shape.columns,
    ...shape.times.map((time) => time.column),
    ...shape.parts.flatMap((part) => part.reads),
  ];
  const columns = [...new Map(reads.map((entry) => [entry.name, entry])).values()];
  return { kind: 'scan', datasetId, columns, rowFilters: [], filters: [] };
}

function groupedAs(shape: RollupShape, scan: Scan, values: readonly SelectColumn[]): Select {
  const groups = groupsOf(shape);
  return { ...selectOf(scan, shapeAlias, [...groups, ...values]), grouped: groups.length };
}

/** Writes the statement whose rows are those of a rollup. `relation` has the rows of the dataset. */
export function emitRollup(shape: RollupShape, relation: Relation): Statement {
  const scan = scanOf('', shape);
  const values = shape.parts.map((part, index) => ({ as: rollupColumn.part(index), of: aggregateOf(scan, part) }));
  return statement(
    duckdb,
    writeSelect(
      emitContext(duckdb, () => relation),
      groupedAs(shape, scan, values),
    ),
    [],
  );
}

/** Writes the statement that counts the rows that a rollup would have, as JSON. */
export function emitRollupRows(shape: RollupShape, relation: Relation): Statement {
  const count = { as: 'n', of: aggregate('rows', [], 'integer') };
  const keys = { ...shape, parts: [] };
  const groups = groupedAs(keys, scanOf('', keys), [count]);
  const body = { ...selectOf(groups, 'g', [count]), grouped: 0 };
  const cells = [{ cell: cellOf('integer'), of: [column('q', 'n', 'integer')] }];
  return emit({ body, cells, locale: 'en' }, duckdb, () => relation, 'json');
}
