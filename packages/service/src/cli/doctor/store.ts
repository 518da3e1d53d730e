import { existsSync } from 'node:fs';
import { storeFile } from '../../app/store/open-store.ts';
import type { Config } from '../../config/config.ts';
import { storedCompatible } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/index.ts';
import { currentSecretKey, rowsBySecretKey, type Rows } from '../../store/secrets/sealed-keys.ts';
import { sql } from '../../store/sql.ts';
import { addressOf, curlOf } from '../address.ts';
import { keysAtHand } from '../../config/keyring.ts';
import { dialectOf, hasSchema, readStore, type ReadStore } from '../read-store.ts';
import { sealedTables } from '../commands/keys-rotate.ts';
import { checkAccelerations } from './accelerations.ts';
import { checkCluster } from './cluster.ts';
import { checkObserved } from './observed.ts';
import { checkVersions } from './rows.ts';
import { fail, messageOf, ok, warn, type Finding } from './finding.ts';

const defaultEmail = 'owner@localhost.invalid';
const oldestPostgres = 130_000;
const skewMs = 5_000;

async function checkPostgres(store: Rows, now: () => number): Promise<readonly Finding[]> {
  const startMs = now();
  const [row] = await store.rows(
    sql`select current_setting('server_version') as version, current_setting('server_version_num')::int as number, extract(epoch
      from clock_timestamp()) * 1000 as clock, (select count(*) from pg_extension
      where extname = 'pg_trgm') as installed, (select count(*) from pg_available_extensions
      where name = 'pg_trgm') as available`,
  );
  const skew = Math.round(Number(row?.['clock']) - (startMs + now()) / 2);
  const version = `version ${String(row?.['version'])}`;
  return [
    Number(row?.['number']) >= oldestPostgres
      ? ok('postgresql', version)
      : fail('postgresql', `${version} is too old`, 'Use PostgreSQL 13 or later.'),
    Number(row?.['installed']) > 0 || Number(row?.['available']) > 0
      ? ok('pg_trgm', Number(row?.['installed']) > 0 ? 'is installed' : 'is installed at the first start')
      : fail('pg_trgm', 'the server does not have it', 'Install the contrib package of PostgreSQL.'),
    Math.abs(skew) <= skewMs
      ? ok('clocks', `${skew} ms apart`)
      : warn(
          'clocks',
          `the clock of the database differs by ${skew} ms from this machine`,
          'Use NTP on both machines.',
        ),
  ];
}

async function checkSchema(store: Rows, dialect: 'sqlite' | 'postgres', now: number): Promise<readonly Finding[]> {
  const rows = await store.rows(sql`select id, applied_at from schema_migration order by id`);
  const knownCount = migrations.length;
  const futureRow = rows.find(({ applied_at: at }) => Date.parse(String(at)) > now + skewMs);
  const time =
    futureRow === undefined
      ? []
      : [
          fail(
            'clock',
            `the store was created in the future, at ${String(futureRow['applied_at'])}`,
            'Set the clock; use NTP.',
          ),
        ];
  const version = `version ${rows.length} of ${knownCount}`;
  if (rows.length > knownCount) {
    const compatibleSchema = await storedCompatible(store, dialect);
    return compatibleSchema !== null && compatibleSchema <= knownCount
      ? [ok('schema', `version ${rows.length}; this program knows ${knownCount} and may run on it`), ...time]
      : [fail('schema', `${version}: newer than this program`, 'Start a newer version.'), ...time];
  }
  if (rows.length < knownCount)
    return [warn('schema', version, 'The next start migrates it; make a backup first.'), ...time];
  return [ok('schema', version), ...time];
}

async function checkIntegrity(store: Rows): Promise<Finding> {
  const rows = await store.rows(sql`pragma integrity_check`);
  const result = String(rows[0]?.['integrity_check']);
  return result === 'ok'
    ? ok('integrity', 'every page of the store is intact')
    : fail('integrity', `the store is damaged: ${result}`, 'Stop the service and restore a backup.');
}

async function checkSecrets(store: Rows, config: Config): Promise<readonly Finding[]> {
  const ring = keysAtHand(config);
  const rows = await rowsBySecretKey(store, sealedTables());
  const currentKey = await currentSecretKey(store);
  const lostKeys = [...rows].filter(([id]) => ring?.keys.has(id) !== true);
  const remedy = 'Add it to INLAY_SECRET_KEY_PREVIOUS or the key file; no other key can decrypt them.';
  if (lostKeys.length > 0)
    return lostKeys.map(([id, count]) =>
      fail('secrets', `${count} rows are encrypted with the key ${id}, which is not available`, remedy),
    );
  if (currentKey !== undefined && ring?.keys.has(currentKey) !== true) {
    return [
      fail(
        'secrets',
        `new secrets are encrypted with the key ${currentKey}, which is not available`,
        'Put it back, or run: inlay keys rotate',
      ),
    ];
  }
  const olderRows = [...rows].filter(([id]) => id !== currentKey).reduce((sum, [, count]) => sum + count, 0);
  if (olderRows > 0 || (currentKey !== undefined && currentKey !== ring?.current)) {
    return [warn('secrets', `${olderRows} rows are encrypted with an older key`, 'Run: inlay keys rotate')];
  }
  return [ok('secrets', 'the available keys decrypt every secret')];
}

async function checkAccounts(store: Rows): Promise<Finding> {
  const rows = await store.rows(
    sql`select id from account where record like ${'%"user_may_write":true%'} order by id limit 20`,
  );
  if (rows.length === 0) return ok('connections', 'no account is known to use a database user with write access');
  const ids = rows.map(({ id }) => String(id)).join(', ');
  return warn(
    'connections',
    `these accounts use database users with write access: ${ids}`,
    'Use read-only database users.',
  );
}

async function checkOwner(store: Rows, config: Config): Promise<Finding> {
  const [user] = await store.rows(sql`select id from "user" where email = ${defaultEmail}`);
  if (user === undefined) return ok('first owner', 'has their own e-mail address');
  const body = {
    key: 'KEY',
    token: 'TOKEN',
    id: String(user['id']),
    properties: { email: 'you@example.com' },
  };
  return warn(
    'first owner',
    `user ${body.id} still has the address ${defaultEmail}`,
    `Run, with the key and token that the first start printed: ${curlOf(addressOf(config, config.port), 'user', body)}`,
  );
}

/** Checks the store, which another service may be using. */
export async function checkStore(config: Config, now: () => number): Promise<readonly Finding[]> {
  const file = storeFile(config.dataDir);
  const isPostgres = config.databaseUrl !== undefined;
  if (!isPostgres && !existsSync(file)) return [warn('store', `there is no store at ${file} yet`, 'Run: inlay start')];
  const findings: Finding[] = [];
  let store: ReadStore | undefined;
  try {
    store = readStore(config);
    await store.rows(sql`select 1 as here`);
    findings.push(ok('store', isPostgres ? 'PostgreSQL answers' : file));
    if (isPostgres) findings.push(...(await checkPostgres(store, now)));
    else findings.push(await checkIntegrity(store));
    if (!(await hasSchema(store, config)))
      return [...findings, warn('schema', 'there is no schema yet', 'Run: inlay start')];
    findings.push(
      ...(await checkSchema(store, dialectOf(config), now())),
      ...(await checkSecrets(store, config)),
      ...(await checkVersions(store, config)),
      ...(await checkCluster(store, config)),
      await checkAccounts(store),
      await checkOwner(store, config),
      ...(await checkObserved(store, config)),
      ...(await checkAccelerations(store, config)),
    );
  } catch (error) {
    const remedy = isPostgres
      ? 'Check INLAY_DATABASE_URL and that the server runs.'
      : 'Check the file, its owner and the disk.';
    findings.push(fail('store', `the store failed: ${messageOf(error)}`, remedy));
  } finally {
    await store?.close();
  }
  return findings;
}
