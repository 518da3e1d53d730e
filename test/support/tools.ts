import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const timeout = 300_000;

/** Returns the folder of a tool that tests install when they first need it. */
export const cachedTool = (name: string): string => join(import.meta.dirname, '../../node_modules/.cache', name);

/** Installs into an empty folder, once. @returns why it cannot be had here; undefined when it is there. */
async function installed(folder: string, install: () => Promise<unknown>): Promise<string | undefined> {
  const isThere = join(folder, 'installed');
  if (existsSync(isThere)) return undefined;
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await install();
    mkdirSync(`${isThere}.new`);
    renameSync(`${isThere}.new`, isThere);
    return undefined;
  } catch (error) {
    return `it cannot be installed (${String(error).slice(0, 300)})`;
  }
}

/** Has packages of Python, each as `name==version`, in a folder of its own. @returns why they cannot be had here; undefined when they are there. */
export const havePython = (named: readonly string[], folder: string): Promise<string | undefined> =>
  installed(folder, async () => {
    await run('python3', ['-m', 'venv', folder]);
    const install = ['install', '--quiet', '--disable-pip-version-check', '--retries', '1', ...named];
    await run(join(folder, 'bin/pip'), install, { timeout });
  });

const quickly = ['--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];

/** Has packages of npm, each as `name@version`, in a folder of its own. @returns why they cannot be had here; undefined when they are there. */
export const havePackages = (named: readonly string[], folder: string): Promise<string | undefined> =>
  installed(folder, () => run('npm', ['install', '--prefix', folder, ...quickly, ...named], { timeout }));
