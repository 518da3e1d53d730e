import type { Config } from '../../config/config.ts';
import { createRegistry } from '../../resource/registry.ts';
import { resources } from '../../resources/index.ts';
import { ok, type Finding } from './finding.ts';
import { doneOf, withStore, type ServiceStore } from '../with-store.ts';
import { isStored } from '../../declare/declaration.ts';

/** Small batches, so that writes of the service hardly wait. */
const rowsAtOnce = 200;

async function batch(store: ServiceStore, resource: string, lastId: string): Promise<readonly [number, string | null]> {
  const { count, id } = doneOf(await store.write({ kind: 'repair', resource, after: lastId, batch: rowsAtOnce }));
  return [count, id === '' ? null : id];
}

/** Repairs rows of an earlier schema whose columns disagree with their records. */
export async function repairRecords(config: Config): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const storedResources = createRegistry(resources).resources.filter(isStored);
  await withStore(config, async (store) => {
    for (const { name } of storedResources) {
      let mendedCount = 0;
      for (let lastId: string | null = ''; lastId !== null;) {
        const [count, batchLastId] = await batch(store, name, lastId);
        mendedCount += count;
        lastId = batchLastId;
      }
      if (mendedCount > 0) findings.push(ok('repair', `${mendedCount} records of ${name} were mended`));
    }
  });
  return findings.length > 0 ? findings : [ok('repair', 'every record agrees with its columns')];
}
