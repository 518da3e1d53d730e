import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';
import { storeFile } from '../../packages/service/src/app/store/open-store.ts';
import type { Credential } from '../../test/support/service.ts';
import { text } from '../../test/support/world.ts';
import { call } from './client.ts';

/** Makes dashboards "Tagged …" and returns each of them every tag, at once in the store: calls would take an hour. */
export async function tagDashboards(
  port: number,
  owner: Credential,
  store: { readonly dataDir: string; readonly databaseUrl?: string | undefined },
  [dashboards, tags]: readonly [number, number],
): Promise<void> {
  const make = async (resource: string, count: number, name: string): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1)
      ids.push(
        text(
          await call(port, resource, { action: 'create', properties: { name: { en: `${name} ${index}` } } }, owner),
          'id',
        ),
      );
    return ids;
  };
  const listed = (ids: readonly string[]): string => ids.map((id) => `'${id}'`).join(', ');
  const [first, target] = [await make('dashboard', dashboards, 'Tagged'), await make('tag', tags, 'Tag')];
  const statement = `insert into link (first_id, target_id, association) select s.id, t.id, 'securable.Tags'
    from securable s cross join tag t where s.id in (${listed(first)}) and t.id in (${listed(target)})`;
  if (store.databaseUrl === undefined) {
    const database = new DatabaseSync(storeFile(store.dataDir), { timeout: 10_000 });
    database.exec(statement);
    database.close();
    return;
  }
  const client = postgres(store.databaseUrl, { max: 1, onnotice: () => undefined });
  await client.unsafe(statement);
  await client.end();
}
