import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = join(import.meta.dirname, '../..');
const packages = ['contract', 'query', 'embed', 'service'];

/** Renames the chunks of a build and every reference to them, as a rebuild from changed sources does. */
function rehash(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const stems = names.flatMap((name) => /^chunk-(.+)\.js$/u.exec(name)?.[1] ?? []);
  // No other letters, so that the code stays what it is.
  const other = (stem: string): string => stem.slice(0, -6) + stem.slice(-6).split('').toReversed().join('');
  for (const name of names) {
    const plain = readFileSync(join(folder, name), 'utf8');
    const code = stems.reduce((text, stem) => text.replaceAll(stem, `${other(stem)}_`), plain);
    for (const end of ['', '.gz', '.br']) rmSync(join(folder, name + end));
    const named = stems.reduce((text, stem) => text.replace(`${stem}.js`, `${other(stem)}_.js`), name);
    writeFileSync(join(folder, named), code);
    writeFileSync(join(folder, `${named}.gz`), gzipSync(code, { level: 1 }));
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
    writeFileSync(join(folder, `${named}.br`), brotliCompressSync(code, quality));
  }
}

/** This program as an earlier build of it whose elements have files of other names; `program` runs it. */
export class OtherBuild {
  readonly #folder = mkdtempSync(join(tmpdir(), 'inlay-build-'));
  readonly program = join(this.#folder, 'packages/service/bin/inlay.mjs');

  constructor() {
    for (const name of packages)
      cpSync(join(root, 'packages', name), join(this.#folder, 'packages', name), {
        recursive: true,
        filter: (path) => !path.includes('node_modules') && !path.endsWith('.test.ts'),
      });
    const modules = join(this.#folder, 'node_modules');
    mkdirSync(join(modules, '@inlay'), { recursive: true });
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '@inlay') symlinkSync(join(root, 'node_modules', name), join(modules, name));
    for (const name of packages) symlinkSync(join(this.#folder, 'packages', name), join(modules, '@inlay', name));
    writeFileSync(join(this.#folder, 'package.json'), readFileSync(join(root, 'package.json')));
    rehash(join(this.#folder, 'packages/embed/dist'));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
