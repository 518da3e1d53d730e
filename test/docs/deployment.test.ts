import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { settings, variableOf } from '../../packages/service/src/config/settings.ts';
import { call } from '../support/command.ts';
import { isFull } from '../support/counts.ts';
import { freePort } from '../support/free-port.ts';
import { runs } from '../support/installed.ts';
import { firstOwner } from '../support/load.ts';
import { endWithUs } from '../support/outlive.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Step {
  readonly word: string;
  readonly rest: string;
}

/** Returns the instructions of each stage of the Dockerfile, by the name of the stage; the last has none. */
function stagesOf(text: string): ReadonlyMap<string, readonly Step[]> {
  const stages = new Map<string, Step[]>();
  let steps: Step[] = [];
  for (const line of text.replaceAll(/\\\n\s*/gu, ' ').split('\n')) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/u.exec(line) ?? [];
    if (word === 'FROM') stages.set(/ AS (\w+)$/u.exec(rest)?.[1] ?? '', (steps = []));
    else if (word !== '') steps.push({ word, rest });
  }
  return stages;
}

const stages = stagesOf(read('Dockerfile'));
const folder = mkdtempSync(join(tmpdir(), 'inlay-image-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isBuilt = (path: string): boolean => /\/(?:node_modules|dist)(?:\/|$)/u.test(path);

/** Files of the checkout or of another stage, as COPY takes them into the folder of a stage. */
function copyInto(stage: string, workdir: string, rest: string): void {
  const words = rest.split(' ').filter((one) => !one.startsWith('--'));
  const from = /--from=(\w+)/u.exec(rest)?.[1];
  const owner = /--chown=(\d+):(\d+)/u.exec(rest);
  const [to = ''] = words.slice(-1);
  const target = join(stage, resolve(workdir, to));
  for (const one of words.slice(0, -1)) {
    const built = from === undefined ? join(root, one) : join(folder, from, one);
    // The base image of a stage is a Debian, as this machine.
    const source = existsSync(built) ? built : one;
    const into = to.endsWith('/') && !statSync(source).isDirectory() ? join(target, basename(one)) : target;
    mkdirSync(dirname(into), { recursive: true });
    cpSync(source, into, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => from !== undefined || !isBuilt(path),
    });
    if (owner !== null) execFileSync('chown', ['-R', `${owner[1]}:${owner[2]}`, into]);
  }
}

/** What the last line of an instruction says; the Dockerfile has JSON there for programs. */
const valueIn = (name: string, word: string): string =>
  (stages.get(name) ?? []).findLast((step) => step.word === word)?.rest ?? '';

/** Does what a stage of the Dockerfile says, line by line, in a folder of its own that stands for its root. */
function replay(name: string): string {
  const stage = join(folder, name === '' ? 'image' : name);
  let workdir = '/';
  for (const { word, rest } of stages.get(name) ?? []) {
    if (word === 'WORKDIR') mkdirSync(join(stage, (workdir = resolve(workdir, rest))), { recursive: true });
    else if (word === 'RUN') execFileSync('sh', ['-ec', rest], { cwd: join(stage, workdir), stdio: 'pipe' });
    else if (word === 'COPY') copyInto(stage, workdir, rest);
    else expect(['USER', 'ENV', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD']).toContain(word);
  }
  return stage;
}

/** What the base image of the last stage has that the program needs: Node with its libraries, certificates, places for devices. */
function addBase(image: string): void {
  const node = realpathSync(process.execPath);
  const libraries =
    execFileSync('ldd', [node])
      .toString()
      .match(/\/\S+(?= \()/gu) ?? [];
  // What Node loads by itself to look up names.
  const resolvers = ['libnss_files.so.2', 'libnss_dns.so.2', 'libresolv.so.2'].map((one) =>
    join(dirname(libraries[0] ?? ''), one),
  );
  for (const path of [...libraries, ...resolvers])
    if (existsSync(path)) {
      mkdirSync(join(image, dirname(path)), { recursive: true });
      copyFileSync(realpathSync(path), join(image, path));
    }
  mkdirSync(join(image, 'nodejs/bin'), { recursive: true });
  copyFileSync(node, join(image, 'nodejs/bin/node'));
  chmodSync(join(image, 'nodejs/bin/node'), 0o755);
  for (const one of ['proc', 'dev', 'tmp', 'etc']) mkdirSync(join(image, one), { recursive: true });
  writeFileSync(join(image, 'etc/hosts'), '127.0.0.1 localhost\n');
}

/** Runs a program of the image as a container does: as its user, on a root that is read only, with a volume, /proc, /dev and a fresh /tmp. */
function container(image: string, volume: string, program: readonly string[], env: Readonly<Record<string, string>>) {
  const user = valueIn('', 'USER');
  const own = valueIn('', 'ENV')
    .split(' ')
    .map((one) => one.split('='));
  const script = `
    mount --bind "$0" "$0"; mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"
    mount --bind "$1" "$0${valueIn('', 'VOLUME')}"; mount -o remount,ro,bind "$0"; shift
    exec chroot --userspec=${user} "$0" "$@"`;
  const [command = '', ...args] = program;
  return spawn(
    'unshare',
    [
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-ec',
      script,
      image,
      volume,
      '/nodejs/bin/node',
      '-e',
      `process.chdir(${JSON.stringify(valueIn('', 'WORKDIR'))}); process.execve(...${JSON.stringify([command, [command, ...args]])})`,
    ],
    {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...Object.fromEntries(own), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

/** Returns why the last stage cannot be run here; undefined if it can. */
const whyNoContainer = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'only root can change the root of a process';
  return runs('unshare', ['--mount', 'true']) ? undefined : 'this machine allows no mounts';
};

const mbOf = (path: string): number => Number(execFileSync('du', ['-sm', path]).toString().split('\t')[0]);

describe('what an operator deploys with', () => {
  it('names files that are there, and settings that there are', () => {
    const copied = [...stages.values()].flat().flatMap(({ word, rest }) => (word === 'COPY' ? [rest] : []));
    const sources = copied.filter((rest) => !rest.startsWith('--from')).flatMap((rest) => rest.split(' ').slice(0, -1));
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) expect(existsSync(join(root, source)), source).toBe(true);
    const known = new Set(Object.keys(settings).map(variableOf));
    for (const path of ['Dockerfile', 'compose.yaml', 'deploy/inlay.service']) {
      const named = [...read(path).matchAll(/\bINLAY_[A-Z_]+\b/gu)].map(([name]) => name.replace(/_FILE$/u, ''));
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((name) => !known.has(name))).toEqual([]);
    }
  });

  it('copies every workspace into the image', () => {
    const text = read('Dockerfile');
    for (const name of readdirSync(new URL('../../packages/', import.meta.url)))
      expect(text).toContain(`packages/${name}/package.json`);
  });

  it('gives the folder of each volume to the user that the image runs as', () => {
    const steps = stages.get('') ?? [];
    const valueOf = (word: string): string => steps.find((step) => step.word === word)?.rest ?? '';
    const user = valueOf('USER');
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/u);
    const owned = steps.filter(({ word, rest }) => word === 'COPY' && rest.includes(`--chown=${user} `));
    expect(owned.map(({ rest }) => rest.split(' ').at(-1))).toEqual([valueOf('VOLUME')]);
    expect(valueOf('ENV')).toContain(`INLAY_DATA_DIR=${valueOf('VOLUME')}`);
  });

  it.runIf(isFull)(
    'makes an image that is small, and starts, answers, stores rows and stops as its user',
    async () => {
      replay('build');
      const production = join(replay('production'), 'inlay');
      const program = join(production, 'packages/service/bin/inlay.mjs');
      const version = execFileSync(process.execPath, [program, '--version'], { cwd: production }).toString();
      expect(version).toContain('0.1.0');
      expect(existsSync(join(production, 'node_modules/vitest'))).toBe(false);
      // Node of the base image takes about 130 MB more.
      expect(mbOf(production)).toBeLessThan(190);

      const reason = whyNoContainer();
      if (reason !== undefined) return void process.stdout.write(`the last stage of the image is not run: ${reason}\n`);
      const image = replay('');
      addBase(image);
      // A new volume takes over what the image has at its place, with its owner.
      const volume = join(folder, 'volume');
      execFileSync('cp', ['-a', join(image, valueIn('', 'VOLUME')), volume]);
      const port = String(await freePort());
      const { credential, settings: first } = firstOwner();
      const env = { ...first, INLAY_PORT: port, INLAY_SECRET_KEY: randomBytes(32).toString('base64') };
      const started: readonly string[] = [...JSON.parse(valueIn('', 'ENTRYPOINT')), ...JSON.parse(valueIn('', 'CMD'))];
      const health = /CMD (\[.*\])$/u.exec(valueIn('', 'HEALTHCHECK'))?.[1] ?? '[]';
      for (const round of [1, 2]) {
        const running = container(image, volume, started, env);
        if (running.pid !== undefined) running.once('exit', endWithUs(running.pid, 'KILL'));
        let output = '';
        for (const stream of [running.stdout, running.stderr])
          stream.on('data', (text: Buffer) => (output += text.toString()));
        const url = `http://127.0.0.1:${port}`;
        const isReady = () =>
          fetch(`${url}/readyz`).then(
            ({ ok }) => ok,
            () => running.exitCode !== null,
          );
        await expect.poll(isReady).toBe(true);
        expect(running.exitCode, output).toBe(null);
        const check = container(image, volume, JSON.parse(health.replaceAll(':8080/', `:${port}/`)), {});
        expect(await once(check, 'exit')).toEqual([0, null]);
        const authorization = `Bearer ${credential.key}:${credential.token}`;
        const headers = { authorization, 'content-type': 'text/csv' };
        const sent = await fetch(`${url}/0.1.0/data/file?name=Rows`, { method: 'POST', headers, body: 'a,b\n1,2\n' });
        expect(await sent.json(), output).toMatchObject({ count: 1 });
        const listed = await call(url, 'securable', { ...credential, action: 'get', find: {} });
        expect(listed.body['count']).toBe(round);
        running.kill('SIGTERM');
        expect(await once(running, 'exit'), output).toEqual([0, null]);
      }
      const [uid] = valueIn('', 'USER').split(':');
      expect(execFileSync('find', [volume, '-not', '-uid', uid ?? '']).toString()).toBe('');
    },
    900_000,
  );
});
