import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Process {
  readonly what: string;
  /** The SQLite file or the PostgreSQL url. */
  readonly file: string;
  readonly args: readonly string[];
  readonly killAfterMs?: number;
}

/** Runs processes of `child.ts` at the same time; returns what each said. */
export const runProcesses = (processes: readonly Process[]): Promise<readonly string[]> =>
  Promise.all(
    processes.map(
      ({ what, file, args, killAfterMs }) =>
        new Promise<string>((resolve) => {
          const script = fileURLToPath(new URL('./child.ts', import.meta.url));
          const child = spawn(process.execPath, [script, what, file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
          let said = '';
          const hear = (chunk: Buffer): void => void (said += chunk.toString());
          child.stdout.on('data', hear);
          child.stderr.on('data', hear);
          if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
          child.on('close', () => resolve(said.trim()));
        }),
    ),
  );
