import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const packages = ['contract', 'query', 'embed', 'service'];

/** The last release, whose instances hold no lease. */
export const lastRelease = '7fd2249';

/** Returns why the sources of a release cannot be run; undefined if they can. */
export function whyNoRelease(commit: string): string | undefined {
  const found = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root });
  return found.status === 0 ? undefined : `this clone does not have the commit ${commit}`;
}

/** The sources of a release with the packages that are installed here; `program` runs them. */
export class Release {
  readonly #folder: string;
  readonly program: string;

  constructor(commit: string) {
    this.#folder = mkdtempSync(join(tmpdir(), `inlay-${commit}-`));
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 ** 3 });
    execFileSync('tar', ['-x', '-C', this.#folder], { input: archive });
    this.program = join(this.#folder, 'packages/service/bin/inlay.mjs');
    const [installed, modules] = [join(root, 'node_modules'), join(this.#folder, 'node_modules')];
    mkdirSync(join(modules, '@inlay'), { recursive: true });
    for (const name of readdirSync(installed))
      if (name !== '@inlay' && !existsSync(join(modules, name)))
        symlinkSync(join(installed, name), join(modules, name));
    // The release has its own ones.
    for (const name of packages) symlinkSync(join(this.#folder, 'packages', name), join(modules, '@inlay', name));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
