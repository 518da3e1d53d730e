import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isObject } from '@inlay/contract';

export interface Running {
  readonly port: number;
  readonly pid: number;
  readonly startMs: number;
  /** Times that a start waited for the disk: the machine had let go of the program's or the store's files. */
  readonly diskWaits: number;
  rssMb(): number;
  /** Returns the most that it ever had resident. */
  peakMb(): number;
  stop(): Promise<void>;
}

/** How `npm start` starts the service under these settings: what it sets for memory, and the arguments of Node. */
export function npmStart(settings: Record<string, string>): {
  readonly env: Record<string, string>;
  readonly args: readonly string[];
} {
  const root = new URL('../../', import.meta.url);
  const all: unknown = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const scripts = isObject(all) ? all['scripts'] : null;
  const start = isObject(scripts) && typeof scripts['start'] === 'string' ? scripts['start'] : '';
  const said = execFileSync('sh', ['-c', `printf '%s\\n' ${start}`], { env: { ...process.env, ...settings } });
  const words = said.toString().trim().split('\n');
  const node = words.indexOf('node');
  if (node < 0) throw new Error('npm start starts something else by now');
  const set = words.slice(0, node).map((word) => word.split('='));
  return {
    env: Object.fromEntries(set.map(([name = '', value = '']) => [name, value])),
    args: words.slice(node + 1),
  };
}

/** Starts a program under this Node and waits until it prints that it listens. */
export async function run(
  args: readonly string[],
  port: number,
  env: Record<string, string>,
  ready: RegExp,
): Promise<Running> {
  const started = performance.now();
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (piece) => {
      said += String(piece);
      if (ready.test(said)) resolve();
    });
    child.on('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${String(code)}: ${said}`)));
  });
  const startMs = performance.now() - started;
  // proc(5): the twelfth field, the tenth after the name in parentheses.
  const diskWaits = Number(
    readFileSync(`/proc/${child.pid ?? 0}/stat`, 'utf8')
      .split(') ')
      .at(-1)
      ?.split(' ')[9],
  );
  const memory = (word: string): number =>
    Number(
      new RegExp(`${word}:\\s+(\\d+)`, 'u').exec(readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8'))?.[1] ?? 0,
    ) / 1024;
  return {
    port,
    pid: child.pid ?? 0,
    startMs,
    diskWaits,
    rssMb: () => memory('VmRSS'),
    peakMb: () => memory('VmHWM'),
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.on('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}
