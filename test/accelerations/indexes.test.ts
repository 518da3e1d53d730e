import { copyScan, emitScan, postgres, type ModelColumn } from '@inlay/query';
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

test.runIf(havePostgresServer)('a delta of rows at PostgreSQL finds them by the indexes of their times', async () => {
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
  const { sql: statement, params } = emitScan(
    copyScan(model, range),
    copyDialect(postgres),
    { kind: 'table', path: ['public', 'events'] },
    true,
  );
  for (const [index, value] of params.entries())
    await sql`select set_config(${parameterName(index + 1)}, ${String(value)}, false)`;
  const plan = JSON.stringify(await sql.unsafe(`explain ${statement}`));
  expect(plan).toContain('Bitmap Index Scan on made');
  expect(plan).toContain('Bitmap Index Scan on changed');
  expect(plan).not.toContain('Seq Scan');
  expect(await sql.unsafe(statement)).toHaveLength(21);
  await sql.end();
});
