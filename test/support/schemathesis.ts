import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isList, isObject, type Json } from '@inlay/contract';
import { cachedTool, havePython } from './tools.ts';
import { endWithUs } from './outlive.ts';

const version = '4.32.0';
const root = join(import.meta.dirname, '../..');
const folder = cachedTool(`schemathesis-${version}`);
const program = join(folder, 'bin/st');

/** Puts Schemathesis into a folder of its own. @returns why it cannot be had here; undefined when it is there. */
export const haveSchemathesis = (): Promise<string | undefined> => havePython([`schemathesis==${version}`], folder);

/** How a run of Schemathesis ended. */
export interface FuzzReport {
  readonly isComplete: boolean;
  /** Requests that were made. */
  readonly cases: number;
  readonly operations: number;
  /** Failed checks and errors of the tool itself, each as its report has it. */
  readonly failures: readonly Json[];
  /** All that it said, with a command for each failure that sends the request again. */
  readonly output: string;
}

const numberIn = (value: Json | undefined, name: string): number => {
  const found = value !== undefined && isObject(value) ? value[name] : undefined;
  return typeof found === 'number' ? found : 0;
};
const listIn = (value: Json | undefined): readonly Json[] => (value !== undefined && isList(value) ? value : []);

/** Records that are there: for requests to name, and by path those that stand in its examples. */
export interface FuzzRecords {
  readonly ids: readonly string[];
  readonly seeds: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Tries what the OpenAPI description of the service at `url` describes. */
export async function fuzzContract(
  url: string,
  { ids, seeds }: FuzzRecords,
  args: readonly string[],
  config = 'contract-fuzz',
): Promise<FuzzReport> {
  const reports = mkdtempSync(join(tmpdir(), 'inlay-fuzz-'));
  const report = join(reports, 'report.json');
  const options = ['--no-color', '--continue-on-failure', '--no-shrink', '--output-truncate', 'false'];
  const kept = ['--generation-database', 'none', '--report', 'json', '--report-json-path', report];
  const judged = join(root, 'test/security');
  const child = spawn(
    program,
    [
      '--config-file',
      join(judged, `${config}.toml`),
      'run',
      `${url}/openapi.json`,
      ...options,
      ...kept,
      '--request-timeout',
      '60',
      ...args,
    ],
    {
      cwd: reports,
      env: {
        ...process.env,
        INLAY_FUZZ_IDS: ids.join(' '),
        INLAY_FUZZ_SEEDS: JSON.stringify(seeds),
        INLAY_FUZZ_HOOKS: join(judged, 'contract-fuzz.py'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  if (child.pid !== undefined) child.once('exit', endWithUs(child.pid, 'KILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const said: Json = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  rmSync(reports, { recursive: true, force: true });
  const body = isObject(said) ? said : {};
  return {
    isComplete: body['complete'] === true,
    cases: numberIn(body['test_cases'], 'generated'),
    operations: numberIn(body['operations'], 'tested'),
    failures: [...listIn(body['failures']), ...listIn(body['errors'])],
    output,
  };
}
