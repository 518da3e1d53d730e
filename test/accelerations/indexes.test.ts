import { copyScan, emitScan, postgres, type ModelColumn, type Relation } from '@inlay/query';
import connect from 'postgres';
import { expect, test } from 'vitest';
import { copyDialect, parameterName } from '../../packages/service/src/connectors/postgresql/copy-dialect.ts';
import { freshDatabase, havePostgresServer } from '../support/service.ts';

const timeColumn = (source: string, storageType: 'timestamp' | 'timestamptz'): ModelColumn => ({
  id: source,
  datasetId: 'events',
  source,
  type: 'datetime',
  subtype: null,
  storageType,
  expression: null,
  separator: null,
  joins: [],
});

test.runIf(havePostgresServer)(
  'a copy and a query of a range of rows at PostgreSQL find them by the indexes of their times',
  async () => {
    const sql = connect(await freshDatabase(), { max: 1, onnotice: () => undefined });
    await sql.unsafe(
      `set timezone = 'UTC'; create table events (made_at timestamptz, changed_at timestamp);
      insert into events select timestamptz '2024-01-01Z' + n * interval '1 minute', timestamp '2024-01-01' + n * interval '1 minute'
        from generate_series(1, 20000) n;
      create index made on events (made_at); create index changed on events (changed_at); analyze events`,
    );
    const times = [timeColumn('made_at', 'timestamptz'), timeColumn('changed_at', 'timestamp')];
    const model = {
      id: 'events',
      columns: new Map(times.map((column) => [column.id, column])),
      formulas: new Map<string, never>(),
    };
    const range = { columns: times, sinceMs: Date.parse('2024-01-14T21:00:00Z'), untilMs: null };
    const scan = copyScan(model, range);
    const relation: Relation = { kind: 'table', path: ['public', 'events'] };
    const expectIndexes = (plan: unknown): void => {
      expect(JSON.stringify(plan)).toContain('Bitmap Index Scan on made');
      expect(JSON.stringify(plan)).toContain('Bitmap Index Scan on changed');
      expect(JSON.stringify(plan)).not.toContain('Seq Scan');
    };
    const copying = emitScan(scan, copyDialect(postgres), relation, true);
    for (const [index, value] of copying.params.entries())
      await sql`select set_config(${parameterName(index + 1)}, ${String(value)}, false)`;
    expectIndexes(await sql.unsafe(`explain ${copying.sql}`));
    expect(await sql.unsafe(copying.sql)).toHaveLength(21);
    const reading = emitScan(scan, postgres, relation, true);
    const params = reading.params.map(String);
    expectIndexes(await sql.unsafe(`explain ${reading.sql}`, params));
    expect(await sql.unsafe(reading.sql, params)).toHaveLength(21);
    await sql.end();
  },
);
