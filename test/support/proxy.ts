import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFull } from './counts.ts';
import { freePort } from './free-port.ts';
import { runs } from './installed.ts';
import { endWithUs } from './outlive.ts';

const guide = join(import.meta.dirname, '../../docs/guides/deploying.md');

/** Returns a configuration for two instances as the guide shows it. */
function shown(language: string): string {
  const blocks = [...readFileSync(guide, 'utf8').matchAll(/```(\w+)\n([^]*?)```/gu)];
  const block = blocks.find(([, of, text]) => of === language && text?.includes('127.0.0.1:8082') === true);
  if (block?.[2] === undefined) throw new Error(`the guide shows no ${language} for two instances`);
  return block[2];
}

interface Proxy {
  readonly url: string;
  stop(): Promise<void>;
}

interface Kind {
  /** Whether it obeys `/readyz`, and so needs the time that an instance waits before it closes its port. */
  readonly looksAtReadiness: boolean;
  /** Why it cannot run here; undefined if it can. */
  readonly missing: () => string | undefined;
  /** The configuration of the guide without TLS at a port, and how it is started. */
  readonly write: (text: string, port: number, folder: string) => string;
  readonly command: (file: string, folder: string) => readonly [string, ...string[]];
}

const nginx: Kind = {
  looksAtReadiness: false,
  missing: () => (runs('nginx', ['-v']) ? undefined : 'nginx is not installed'),
  write: (text, port, folder) => {
    const plain = text
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replaceAll(/ *ssl_certificate.*\n/gu, '');
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`);
    return `daemon off; worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log;
      events {} http { access_log off; ${paths.join(' ')}\n${text === plain ? '' : plain} }`;
  },
  command: (file, folder) => ['nginx', '-e', `${folder}/error.log`, '-p', folder, '-c', file],
};

const caddy: Kind = {
  looksAtReadiness: true,
  missing: () => {
    if (!isFull) return 'only `npm run test:full` runs it';
    return runs('caddy', ['version']) ? undefined : 'caddy is not installed';
  },
  write: (text, port) =>
    `{\n admin off\n auto_https off\n}\n${text.replace('analytics.example.com', `http://127.0.0.1:${port}`)}`,
  command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
};

/** The proxies of the guide, by the language of their configuration. */
export const proxies: Readonly<Record<string, Kind>> = { nginx, caddyfile: caddy };

/** Starts a proxy with the configuration of the guide before two services. */
export async function startProxy(name: string, services: readonly [number, number]): Promise<Proxy> {
  const kind = proxies[name];
  if (kind === undefined) throw new Error(`no proxy ${name}`);
  const folder = mkdtempSync(join(tmpdir(), 'inlay-proxy-'));
  const port = await freePort();
  const file = join(folder, 'config');
  const text = shown(name).replaceAll(':8081', `:${services[0]}`).replaceAll(':8082', `:${services[1]}`);
  writeFileSync(file, kind.write(text, port, folder));
  const [program, ...args] = kind.command(file, folder);
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, HOME: folder } });
  if (child.pid !== undefined) child.once('exit', endWithUs(child.pid, 'QUIT', folder));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const url = `http://127.0.0.1:${port}`;
  const until = performance.now() + 30_000;
  for (;;) {
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) break;
    if (performance.now() > until || child.exitCode !== null) throw new Error(`${name} does not answer`);
    await sleep(50);
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
