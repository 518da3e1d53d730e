import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { ConfigFault } from '../../config/fault.ts';
import type { Config } from '../../config/config.ts';
import { keyFileOf, keysAtHand } from '../../config/keyring.ts';
import { fail, messageOf, ok, warn, type Finding } from './finding.ts';

const megabyte = 1024 * 1024;
const leastFreeMb = 100;
const fewFreeMb = 1_000;
const livezMs = 1_000;
/** A clock before this time is wrong, because this program did not exist yet. */
const earliestMs = Date.UTC(2025, 0, 1);
const latest = Date.UTC(2100, 0, 1);

export function checkNode(version: string): Finding {
  const major = Number(version.split('.')[0]);
  return major >= 24
    ? ok('node', `version ${version}`)
    : fail('node', `version ${version} is too old`, 'Use Node 24; "npm start" and "npx inlay" bring it along.');
}

/** Loads a native package. Returns null on success, otherwise the first line of the error message. */
async function missing(load: () => Promise<unknown>): Promise<string | null> {
  try {
    await load();
    return null;
  } catch (error) {
    return messageOf(error).split('\n')[0] ?? '';
  }
}

const install = 'Run "npm ci --include=optional" on this machine; there are builds for Linux, macOS and Windows.';

/** The shell that limits the resources of child processes. */
const shell = '/bin/sh';

/** Checks the platform: native packages, the shell, and limits that only Linux enforces. */
export async function checkPlatform(platform: string, architecture: string): Promise<readonly Finding[]> {
  const name = `${platform} ${architecture}`;
  const engineError = await missing(() => import('@duckdb/node-api'));
  const pngError = await missing(() => import('@resvg/resvg-js'));
  return [
    engineError === null
      ? ok('columnar engine', `is built for ${name}`)
      : fail('columnar engine', `does not load on ${name}: ${engineError}`, install),
    pngError === null
      ? ok('png', `is built for ${name}`)
      : warn('png', `exports as PNG fail on ${name}: ${pngError}`, install),
    ...(platform === 'win32' || existsSync(shell)
      ? []
      : [
          fail(
            'shell',
            `${shell} is missing: processes of the columnar engine and of exports do not start`,
            'Install it.',
          ),
        ]),
    platform === 'linux'
      ? ok('memory limits', 'are enforced')
      : warn('memory limits', `are not enforced on ${platform}`, 'Run production on Linux.'),
  ];
}

/**
 * Reports the folder of pushed and uploaded rows if the store is PostgreSQL, since that store does not contain them.
 */
export const checkRows = ({ databaseUrl, dataDir }: Config): readonly Finding[] =>
  databaseUrl === undefined
    ? []
    : [
        ok(
          'rows',
          `pushed and uploaded rows are in ${resolve(dataDir, 'datasets')}, not in PostgreSQL: share the folder between instances, and back it up with "inlay backup"`,
        ),
      ];

const loopback = ['127.0.0.1', '::1', 'localhost'];

/** Checks that the metrics are not public. */
export const checkMetrics = ({ host, metricsToken }: Config): Finding =>
  metricsToken !== undefined || loopback.includes(host)
    ? ok('metrics', metricsToken === undefined ? 'can be read on this machine only' : 'need INLAY_METRICS_TOKEN')
    : warn('metrics', `/metrics is open to everybody who reaches ${host}`, 'Set INLAY_METRICS_TOKEN.');

/** Checks that the clock is plausible. */
export const checkClock = (now: number): Finding =>
  now > earliestMs && now < latest
    ? ok('clock', new Date(now).toISOString())
    : fail('clock', `the clock shows ${new Date(now).toISOString()}`, 'Set the clock; use NTP.');

function freeSpace(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const freeMb = Math.floor((bavail * bsize) / megabyte);
  const remedy = 'Free space, or move the data folder to a larger disk.';
  if (freeMb < leastFreeMb) return fail('disk', `only ${freeMb} MB are free at ${folder}`, remedy);
  if (freeMb < fewFreeMb) return warn('disk', `${freeMb} MB are free at ${folder}`, remedy);
  return ok('disk', `${freeMb} MB are free`);
}

/** Checks the data folder: existence, ownership, permissions and free space. */
export function checkFolder({ dataDir, databaseUrl, secretKey }: Config): readonly Finding[] {
  if (databaseUrl !== undefined && secretKey !== undefined) return [ok('data folder', 'none is needed')];
  const folder = resolve(dataDir);
  let existingFolder = folder;
  while (!existsSync(existingFolder) && dirname(existingFolder) !== existingFolder)
    existingFolder = dirname(existingFolder);
  const remedy = `Make the service user its owner: chown and chmod 700 ${existingFolder}.`;
  try {
    accessSync(existingFolder, constants.W_OK | constants.X_OK);
  } catch {
    return [fail('data folder', `${existingFolder} cannot be written`, remedy)];
  }
  if (existingFolder !== folder)
    return [ok('data folder', `${folder} is created at the first start`), freeSpace(existingFolder)];
  const others = (statSync(folder).mode & 0o022) !== 0;
  return [
    others
      ? warn('data folder', `other users can write to ${folder}`, `Run: chmod go-w ${folder}`)
      : ok('data folder', folder),
    freeSpace(folder),
  ];
}

/** Checks the secret keys: existence, strength, and file permissions. */
export function checkKeys(config: Config): readonly Finding[] {
  try {
    const ring = keysAtHand(config);
    const where = keyFileOf(config) ?? 'the settings';
    if (ring === undefined) return [ok('secret key', `a key file is created with the first secret: ${where}`)];
    const olderKeys = ring.keys.size - 1;
    return [ok('secret key', `${ring.current}${olderKeys > 0 ? ` and ${olderKeys} older` : ''}, from ${where}`)];
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    return error.faults.map(({ place, problem, fix }) => fail('secret key', `${place}: ${problem}`, fix));
  }
}

const listening = (host: string, port: number): Promise<unknown> =>
  new Promise((settle) => {
    const server = createServer();
    server.once('error', settle);
    server.listen({ host, port, exclusive: true }, () => server.close(() => settle(undefined)));
  });

async function isOurs(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/livez`, { signal: AbortSignal.timeout(livezMs) });
    return (await answer.text()) === '{"status":"ok"}';
  } catch {
    return false;
  }
}

/** Checks that the port is free, or that a service already answers on it. */
export async function checkPort({ host, port }: Config): Promise<Finding> {
  const error = await listening(host, port);
  const place = `${host} port ${port}`;
  if (error === undefined) return ok('port', `${place} is free`);
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') {
    return fail('port', `cannot listen on ${place}: ${messageOf(error)}`, 'Set INLAY_HOST and INLAY_PORT.');
  }
  const hostname = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  if (await isOurs(`http://${hostname}:${port}`)) return ok('port', `Inlay answers on ${place}`);
  return fail('port', `another program uses ${place}`, 'Stop it, or set INLAY_PORT.');
}
