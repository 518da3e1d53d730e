import { duckdb, emit, emitScan, scansOf, type Plan, type Scalar } from '@inlay/query';
import { answerJson, openEngine, type Engine, type Table } from './engines.ts';

const asScalar = (value: unknown): Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value);

/**
 * Answers a plan in DuckDB from rows that are read of another database, with the filters that it takes: what a service
 * does with what a database does not do exactly.
 */
export const finishedIn = async (source: Engine, finish: Engine, plan: Plan): Promise<readonly unknown[]> => {
  const made: string[] = [];
  try {
    for (const scan of scansOf(plan)) {
      const relation = { kind: 'table' as const, path: [scan.datasetId] };
      const statement = emitScan(scan, source.dialect, relation);
      const rows = await source.rows(statement.sql, statement.params);
      const columns = scan.columns.length === 0 ? [{ name: 'one', storageType: 'integer' as const }] : scan.columns;
      const table: Table = { name: scan.datasetId, columns, rows: rows.map((row) => row.map(asScalar)) };
      await finish.create(table);
      made.push(scan.datasetId);
    }
    return await answerJson(
      finish,
      emit(plan, duckdb, (id) => ({ kind: 'table', path: [id] }), 'json'),
    );
  } finally {
    for (const name of made) await finish.drop(name);
  }
};

/** Creates an empty DuckDB to finish queries in. */
export const openFinish = (): Promise<Engine> => openEngine('duckdb');
