import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const oldestMajor = 24;

/**
 * Whether the tests may run under this version of Node.
 *
 * @param version as in `process.versions.node`, e.g. `24.21.0`
 * @returns a plain sentence saying what is wrong, or undefined when all is well
 */
export const nodeTooOld = (version: string): string | undefined =>
  Number.parseInt(version, 10) >= oldestMajor
    ? undefined
    : `Inlay's tests need Node ${oldestMajor} or newer, this is Node ${version}: run them with "npm test".`;

/** Run by vitest before any test: throws when Node is too old, and builds what the tests start. */
export const setup = (): void => {
  const reason = nodeTooOld(process.versions.node);
  if (reason !== undefined) throw new Error(reason);
  execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/build.mjs')], { stdio: 'inherit' });
};
