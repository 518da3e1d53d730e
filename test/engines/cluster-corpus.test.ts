import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { emit, shape, unsupportedBy, type Relation } from '@inlay/query';
import { TableNames } from '../../packages/service/src/cluster/publication-names.ts';
import { ClusterTables } from '../../packages/service/src/cluster/tables.ts';
import { publishedDialect, publishedRelation } from '../../packages/service/src/data/cluster/cluster.ts';
import type { Publication } from '../../packages/service/src/data/model/parts.ts';
import { planAsked, settled } from '../corpus/ask.ts';
import type { Asked, RowFilters } from '../corpus/asked.ts';
import { worldTables } from '../corpus/world.ts';
import { clusterSettings, openCluster } from '../support/cluster.ts';
import { never, startTestEngine } from '../support/engine.ts';

interface Entry {
  readonly name: string;
  readonly file: string;
  readonly asked: Partial<Asked>;
  readonly rowFilters?: RowFilters;
  readonly rows: readonly (readonly unknown[])[];
}

const folder = join(import.meta.dirname, '../corpus/queries');
const entries = readdirSync(folder)
  .toSorted()
  .flatMap((file): readonly Entry[] => {
    const read: readonly Entry[] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return read.map((entry) => ({ ...entry, file: file.replace('.json', '') }));
  });
const limits = { rowLimit: 100_000, byteLimit: 100_000_000, deadlineMs: 120_000 };
const schema = 'corpus';

describe('published rows on trino', () => {
  const engines = inject('sharedEngines');
  const engine = startTestEngine();
  const publications = new Map<string, Publication>();
  let cluster: ReturnType<typeof openCluster>;

  beforeAll(async () => {
    if (engines === undefined) throw new Error('the cluster is not there');
    await clusterSettings(engines, schema);
    cluster = openCluster(engines, schema);
    const tables = new ClusterTables(cluster, new TableNames(cluster, 'corpus'));
    for (const { name, columns, rows } of worldTables) {
      const source = {
        kind: 'rows' as const,
        columns,
        rows: (async function* () {
          if (rows.length > 0) yield rows;
        })(),
      };
      await engine.write({ version: 'v', datasetId: name, source });
      const files = join(engines.lake, schema, name);
      mkdirSync(files, { recursive: true });
      const spec = { tenant: 'here', datasetId: name, version: 'v', folder: files, order: [] };
      const written = await engine.writeParquet(spec, () => undefined, never);
      const place = ['lake', schema, `world_${name}`];
      await tables.drop(place, never);
      await tables.create(place, `local:///${schema}/${name}`, written, never);
      publications.set(name, { id: name, place, columns: written.columns.map((column) => column.name) });
    }
  });
  afterAll(async () => {
    await cluster.close();
    await engine.stop();
  });

  const relationOf = (name: string): Relation => {
    const publication = publications.get(name);
    if (publication === undefined) throw new Error(`${name} is not published`);
    return publishedRelation(publication);
  };
  const planOf = ({ asked, rowFilters }: Entry) =>
    planAsked({ dimensions: [], measures: [], where: [], having: [], order: [], options: {}, ...asked }, rowFilters);

  test('the cluster answers at least 95 % of the corpus', () => {
    const own = entries.filter((entry) => unsupportedBy(planOf(entry), publishedDialect) === null);
    expect(own.length / entries.length).toBeGreaterThanOrEqual(0.95);
  });

  test.each(entries)('$file: $name, as a plain evaluator answers', async (entry) => {
    const planned = planOf(entry);
    if (unsupportedBy(planned, publishedDialect) !== null) return;
    const { sql, params, columns } = emit(planned, publishedDialect, relationOf, 'rows');
    const { rows } = await cluster.connector.run(cluster.params, { sql, params }, limits, never);
    const answered: unknown[] = [];
    for await (const batch of rows) {
      const shaped: unknown = JSON.parse(`[${shape(batch, columns, planned.locale)}]`);
      if (Array.isArray(shaped)) answered.push(...shaped);
    }
    expect(settled(answered)).toEqual(settled(entry.rows));
  });
});
