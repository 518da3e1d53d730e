import { resolve } from 'node:path';
import { storeFile } from '../../app/store/open-store.ts';
import type { Config } from '../../config/config.ts';
import {
  CopyRefused,
  copyTables,
  type CopyProgress,
  type CopySource,
  type CopyTarget,
} from '../../store/copy/copy-store.ts';
import { leasesBefore, tableCount } from '../../store/lease.ts';
import { migrations } from '../../store/migrations/index.ts';
import { sql } from '../../store/sql.ts';
import { storedVersions } from '../../store/stored-versions.ts';
import { readArguments } from '../arguments.ts';
import { CommandRefused, UsageFault } from '../faults.ts';
import type { Host } from '../host.ts';
import { copyVersions, removeCopies, type CopiedVersions } from '../rows/backup-rows.ts';
import { describeFaults, rowsIn, VersionCheck, type FaultyVersion } from '../rows/version-check.ts';
import { settingsOf } from '../settings.ts';

/** A store that an argument names, and the data folder with its rows. */
type Place =
  | { readonly kind: 'sqlite'; readonly called: string; readonly dataDir: string }
  | { readonly kind: 'postgres'; readonly called: string; readonly dataDir: string; readonly url: string };

const ofSettings = 'INLAY_DATABASE_URL';

function withoutPassword(url: string): string {
  const printableUrl = new URL(url);
  printableUrl.password = '';
  return printableUrl.href;
}

/**
 * Parses FROM or TO: a data folder, the address of a database, or the word INLAY_DATABASE_URL for the configured
 * address. Raises UsageFault.
 */
function placeOf(word: string, { dataDir, databaseUrl }: Config): Place {
  const url = word === ofSettings ? databaseUrl : /^postgres(?:ql)?:\/\//u.test(word) ? word : undefined;
  if (url !== undefined && URL.canParse(url))
    return { kind: 'postgres', called: withoutPassword(url), dataDir: resolve(dataDir), url };
  if (url !== undefined) throw new UsageFault('the address of the database cannot be read');
  if (word === ofSettings) throw new UsageFault(`${ofSettings} is not set`);
  return { kind: 'sqlite', called: resolve(word), dataDir: resolve(word) };
}

async function openSource(place: Place): Promise<CopySource> {
  if (place.kind === 'sqlite')
    return (await import('../../store/copy/sqlite.ts')).sqliteSource(storeFile(place.dataDir));
  return (await import('../../store/copy/postgres.ts')).postgresSource(place.url);
}

async function openTarget(place: Place): Promise<CopyTarget> {
  if (place.kind === 'sqlite')
    return (await import('../../store/copy/sqlite.ts')).sqliteTarget(storeFile(place.dataDir));
  return (await import('../../store/copy/postgres.ts')).postgresTarget(place.url);
}

/** Raises CopyRefused if the source has another schema, or an instance is using it. */
async function requireFit(source: CopySource, { kind, called }: Place): Promise<void> {
  const [table] = await source.rows(tableCount(kind, 'schema_migration'));
  if (Number(table?.['n']) === 0) throw new CopyRefused(`there is no store of this program in ${called}`);
  const [row] = await source.rows(sql`select max(id) as last from schema_migration`);
  const schema = Number(row?.['last'] ?? 0);
  if (schema > migrations.length)
    throw new CopyRefused(
      `the store has schema ${schema}, and this program knows ${migrations.length}: use the newer version that the store was made by`,
    );
  if (schema < migrations.length)
    throw new CopyRefused(
      `the store has schema ${schema} of ${migrations.length}: make a backup, then bring it up to date with "inlay migrate"`,
    );
  const leases = await source.rows(leasesBefore(kind, 2 ** 31 - 1));
  if (leases.length > 0)
    throw new CopyRefused(
      `an instance runs on the store, or was killed less than 30 seconds ago (version ${String(leases[0]?.['version'])}): stop it and try again`,
    );
}

const nothingCopied: CopiedVersions = { written: [], faults: [], unchecked: 0 };

/** Copies dataset rows if the target has another data folder. Otherwise only verifies them. Raises CommandRefused. */
async function copyRows(source: CopySource, from: Place, to: Place, isPartial: boolean): Promise<CopiedVersions> {
  const versions = await storedVersions(source);
  const [folder, target] = [rowsIn(from.dataDir), rowsIn(to.dataDir)];
  const refuse = (faults: readonly FaultyVersion[]): never => {
    throw new CommandRefused(
      `Rows of datasets are missing or damaged: ${describeFaults(faults)}. Nothing was copied. Put a whole copy of these files back, or add --partial to copy everything else.`,
    );
  };
  const faults = await new VersionCheck().faultsIn(folder, versions);
  if (faults.length > 0 && !isPartial) refuse(faults);
  if (folder === target) return { ...nothingCopied, faults };
  const copiedVersions = await copyVersions(folder, target, versions);
  if (copiedVersions.faults.length === 0 || isPartial) return copiedVersions;
  await removeCopies(copiedVersions);
  return refuse(copiedVersions.faults);
}

const progressTo =
  (host: Host): CopyProgress =>
  (table, rows, isDone) => {
    if (!isDone) host.out(`  ${table}: ${rows} rows so far`);
    else if (rows > 0) host.out(`  ${table}: ${rows} rows`);
  };

/** Copies a store to a new store of any kind. */
export async function storeCopy(args: readonly string[], host: Host): Promise<number> {
  const { values, words } = readArguments(args, { partial: { type: 'boolean' } }, ['FROM', 'TO']);
  const config = settingsOf(host);
  const [from, to] = [placeOf(words[0] ?? '', config), placeOf(words[1] ?? '', config)];
  const source = await openSource(from);
  try {
    await requireFit(source, from);
    const target = await openTarget(to);
    let copiedVersions = nothingCopied;
    try {
      host.out(`Copying ${from.called} to ${to.called}:`);
      const counts = await copyTables(source, target, progressTo(host));
      copiedVersions = await copyRows(source, from, to, values.partial === true);
      await target.publish();
      const totalRows = [...counts.values()].reduce((sum, count) => sum + count, 0);
      host.out(`${totalRows} rows of ${counts.size} tables are in the target and equal those of the source.`);
    } catch (error) {
      await removeCopies(copiedVersions);
      throw error;
    } finally {
      await target.close();
    }
    if (copiedVersions.written.length > 0)
      host.out(`The rows of datasets are in ${rowsIn(to.dataDir)} (${copiedVersions.written.length} files).`);
    if (copiedVersions.faults.length > 0)
      host.error(`Rows that were not copied: ${describeFaults(copiedVersions.faults)}.`);
    host.out(
      'Secrets stay encrypted: start the target with the keys of the source. Do not start the source again; it was not changed.',
    );
    return 0;
  } finally {
    await source.close();
  }
}
