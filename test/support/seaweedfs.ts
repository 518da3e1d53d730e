import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folders, missingSeaweedfs } from '../../scripts/engines/engines.ts';
import { awakeClock } from './awake.ts';
import { freePort } from './free-port.ts';
import { endWithUs } from './outlive.ts';

/** An object store of our own on 127.0.0.1 that verifies signatures. */
export interface ObjectStore {
  readonly endpoint: string;
  readonly keyId: string;
  readonly secretKey: string;
  readonly bucket: string;
}

/** @returns why SeaweedFS cannot be started here, in one sentence; undefined when it can. */
export const haveSeaweedfs = missingSeaweedfs;

const access = { keyId: 'AKIAINLAYTESTS', secretKey: 'lq3kT0/only+for-a-test-on-loopback', bucket: 'rows' } as const;
const readyLimitMs = 60_000;

const identities = {
  identities: [
    {
      name: 'tests',
      credentials: [{ accessKey: access.keyId, secretKey: access.secretKey }],
      actions: ['Admin', 'Read', 'Write', 'List'],
    },
  ],
};

/**
 * Starts SeaweedFS with one bucket. It is killed and its data removed when this process exits.
 *
 * @throws Error in the words of `haveSeaweedfs`, or with the server's own output
 */
export async function startSeaweedfs(): Promise<ObjectStore & { readonly stop: () => Promise<void> }> {
  const missing = haveSeaweedfs();
  if (missing !== undefined) throw new Error(missing);
  const home = mkdtempSync(join(tmpdir(), 'inlay-seaweedfs-'));
  mkdirSync(join(home, 'data'));
  writeFileSync(join(home, 's3.json'), JSON.stringify(identities));
  const ports = new Map<string, number>();
  for (const name of ['master', 'volume', 'filer', 's3'])
    for (const kind of [`${name}.port`, `${name}.port.grpc`]) ports.set(kind, await freePort());
  const args = [
    ...[...ports].map(([name, port]) => `-${name}=${port}`),
    `-dir=${join(home, 'data')}`,
    '-ip=127.0.0.1',
    '-ip.bind=127.0.0.1',
    '-master.telemetry=false',
    '-master.volumeSizeLimitMB=64',
    '-volume.max=100',
    '-filer',
    `-filer.localSocket=${join(home, 'filer.sock')}`,
    '-s3',
    `-s3.config=${join(home, 's3.json')}`,
    `-s3.localSocket=${join(home, 's3.sock')}`,
    '-s3.autoCreateBucket=false',
    '-s3.port.iceberg=0',
    '-s3.port.lance=0',
  ];
  const child = spawn(join(folders().seaweedfs, 'bin/weed'), ['server', ...args], { cwd: home, stdio: 'pipe' });
  if (child.pid !== undefined) child.once('exit', endWithUs(child.pid, 'KILL', home));
  const remove = (): void => {
    child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  };
  process.once('exit', remove);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
  const exited = once(child, 'exit');
  const endpoint = `http://127.0.0.1:${ports.get('s3.port')}`;
  const filer = `http://127.0.0.1:${ports.get('filer.port')}/buckets/${access.bucket}`;

  /** Writes an object and deletes it: the parts of the server start one after the other. */
  const isReady = async (): Promise<boolean> => {
    const made = await fetch(`${filer}/.started`, { method: 'PUT', body: 'x' });
    const deleted = await fetch(`${filer}/.started`, { method: 'DELETE' });
    return made.ok && deleted.ok && (await fetch(endpoint)).status === 403;
  };
  const clock = awakeClock();
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null || clock.passedMs() > readyLimitMs)
      throw new Error(`SeaweedFS did not start:\n${output}`);
    await sleep(100);
  }
  clock.stop();
  return {
    endpoint,
    ...access,
    async stop() {
      process.off('exit', remove);
      child.kill('SIGKILL');
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
