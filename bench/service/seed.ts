import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { openStore, storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import type { Command, WriteResult } from '../../packages/service/src/commands/command.ts';
import type { WriteCommand } from '../../packages/service/src/commands/record.ts';
import type { Store } from '../../packages/service/src/store/store.ts';

export interface Seeded {
  readonly key: string;
  readonly token: string;
  /** Ids of the first thousand securables of the first organization. */
  readonly ids: readonly string[];
}

/** About 3 KB of JSON: a dashboard with a few items. */
export const contents = (): object => ({
  version: '0.1.99',
  syncScreenModes: true,
  datasetLinks: {},
  views: ['desktop', 'tablet', 'mobile'].map((screenModus) => ({
    screenModus,
    options: { share: { poweredBy: false }, theme: { id: 'default' }, alertingEnabled: false },
    filterGroups: [],
    items: Array.from({ length: 2 }, (_, index) => ({
      id: `item-${index}`,
      type: 'bar-chart',
      position: { col: index * 12, row: 0, sizeX: 12, sizeY: 24 },
      options: { title: { en: 'Revenue by region' }, sort: { by: 'measure', order: 'desc' }, limit: 20 },
      slots: [
        {
          name: 'measure',
          content: [{ columnId: '01890a5d-ac96-774b-bcce-b302099a8057', type: 'numeric', format: ',.2f' }],
        },
      ],
    })),
  })),
  parameters: [],
  timezone: { type: 'fixed', id: 'UTC' },
});

const write = (authorizationId: string, set: WriteCommand['input'] & { kind: 'create' }): WriteCommand => ({
  kind: 'write',
  resource: 'securable',
  caller: { kind: 'authorization', id: authorizationId },
  input: set,
  fixed: {},
  prepared: {},
  ifMatch: null,
  idempotency: null,
});

const idOf = (result: WriteResult): string => {
  if (result.kind === 'record') return result.stored.id;
  throw new Error(`seeding failed: ${JSON.stringify(result)}`);
};

async function inWaves<Item>(items: number, width: number, work: (index: number) => Promise<Item>): Promise<Item[]> {
  const made: Item[] = [];
  for (let at = 0; at < items; at += width) {
    made.push(
      ...(await Promise.all(Array.from({ length: Math.min(width, items - at) }, (_, index) => work(at + index)))),
    );
  }
  return made;
}

export const settings = (dataDir: string, databaseUrl: string | undefined): Record<string, string> => ({
  INLAY_DATA_DIR: dataDir,
  INLAY_RATE_LIMIT: '0',
  INLAY_LOG_REQUESTS: 'false',
  INLAY_LOG_LEVEL: 'warn',
  ...(databaseUrl === undefined ? {} : { INLAY_DATABASE_URL: databaseUrl }),
});

/** Makes an organization whose owner has this token; the key of the token. The first of a store has the index 0. */
export async function organization(store: Store<Command, WriteResult>, index: number, token: string): Promise<string> {
  const made = await store.write({
    kind: index === 0 ? 'bootstrap' : 'organization',
    first: {
      organizationName: `Organization ${index}`,
      owner: { email: `owner-${index}@example.com`, name: 'Owner', passwordHash: null, level: 3 },
      key: null,
      tokenHash: createHash('sha256').update(token).digest('base64url'),
    },
  });
  if (made.kind !== 'done' || made.id === null) throw new Error('the store to seed is not empty');
  return made.id;
}

/**
 * Fills an empty store: this many organizations, this many securables of 3 KB in the first of them, of which 100 have
 * "needle" in their name.
 */
export async function seed(
  dataDir: string,
  databaseUrl: string | undefined,
  securables: number,
  organizations = 1,
): Promise<Seeded> {
  mkdirSync(dirname(storeFile(dataDir)), { recursive: true });
  const { config } = readConfig(settings(dataDir, databaseUrl), () => '');
  const store = await openStore(config);
  const token = 'bench-'.padEnd(43, 'x');
  const key = await organization(store, 0, token);
  await inWaves(organizations - 1, 256, (index) => organization(store, index + 1, token));
  const every = Math.floor(securables / 100);
  const ids = await inWaves(securables, 256, async (index) => {
    const name =
      index % every === 0 && index / every < 100
        ? `Quarterly needle ${index}`
        : `Dashboard number ${index} of region ${index % 97}`;
    const set = {
      type: 'dashboard',
      name: { en: name, fr: `Tableau ${index}` },
      description: { en: 'Made to measure' },
      contents: contents(),
    };
    return idOf(
      await store.write(write(key, { kind: 'create', set: JSON.parse(JSON.stringify(set)), echoes: {}, links: [] })),
    );
  });
  await store.close();
  return { key, token, ids: ids.slice(0, 1000) };
}
