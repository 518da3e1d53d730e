import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Running {
  readonly port: number;
  readonly startMs: number;
  rssMb(): number;
  stop(): Promise<void>;
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
  return {
    port,
    startMs,
    rssMb: () =>
      Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.on('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}
