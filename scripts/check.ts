import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { isObject, type Json } from '@inlay/contract';

/** How a command ended: what it printed, in the order it came, and how long it took. */
export interface Outcome {
  readonly command: string;
  readonly passed: boolean;
  readonly output: string;
  readonly seconds: number;
}

const root = join(import.meta.dirname, '..');

/** The npm scripts that check the source, the longest first. */
const checks = ['format:check', 'lint', 'typecheck'];

/** Returns the commands of npm scripts; a script may join several with `&&`. */
export function commandsOf(packageJson: string, scripts: readonly string[] = checks): readonly string[] {
  const read: Json = JSON.parse(packageJson);
  const all = isObject(read) ? (read['scripts'] ?? null) : null;
  return scripts.flatMap((name) => {
    const script = isObject(all) ? all[name] : undefined;
    if (typeof script !== 'string') throw new Error(`package.json has no script "${name}"`);
    return script.split('&&').map((command) => command.trim());
  });
}

function run(command: string): Promise<Outcome> {
  const started = performance.now();
  const path = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const child = spawn(command, { cwd: root, shell: true, env: { ...process.env, PATH: path } });
  const chunks: Buffer[] = [];
  const keep = (chunk: Buffer): number => chunks.push(chunk);
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const seconds = (performance.now() - started) / 1000;
      resolve({ command, passed: code === 0, output: Buffer.concat(chunks).toString(), seconds });
    });
  });
}

/** Runs commands of the shell, this many at a time, and tells of each when it has ended. */
export async function runAll(
  commands: readonly string[],
  atOnce: number,
  tell: (outcome: Outcome) => void,
): Promise<readonly Outcome[]> {
  const waiting = commands.values();
  const outcomes: Outcome[] = [];
  const worker = async (): Promise<void> => {
    for (const command of waiting) {
      const outcome = await run(command);
      outcomes.push(outcome);
      tell(outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return outcomes;
}

if (import.meta.main) {
  const commands = commandsOf(readFileSync(join(root, 'package.json'), 'utf8'));
  const outcomes = await runAll(commands, availableParallelism(), ({ command, passed, output, seconds }) => {
    console.log(`${passed ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s: ${command}`);
    if (!passed) console.log(output.trimEnd());
  });
  const failed = outcomes.filter(({ passed }) => !passed);
  if (failed.length > 0) console.log(`${failed.length} of ${outcomes.length} checks failed.`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
