// Builds the program into dist/, a few dozen files instead of hundreds, which start in two thirds of the time and take less
// memory. Libraries stay as they are installed. Plain JavaScript for Node 20: `prestart` runs it.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOlder } from '../../scripts/newest.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const sources = ['contract', 'embed', 'query', 'service'].map((name) => join(here, '..', name, 'src'));
const main = 'main.mjs';

/** A program that runs loads some files when they are first needed: those of earlier builds stay for as long as it may. */
const keptMs = 30 * 24 * 3_600_000;

/** Whether the sources have been changed since the last build into a folder. */
export const isStale = (outDir = dist) => isOlder(join(outDir, main), sources);

/** The module to run: what was built, or the sources where they are newer. */
export const program = () => new URL(isStale() ? './src/main.ts' : `./dist/${main}`, import.meta.url);

/** What a module refers to by its own address: a module becomes a file of the build, anything else is found from the source. */
const addresses = (outDir) => ({
  name: 'addresses',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    const withModules = code.replaceAll(/new URL\('(\.[^']+\.(?:ts|mjs))', import\.meta\.url\)/gu, (_whole, path) => {
      const reference = this.emitFile({ type: 'chunk', id: join(dirname(id), path) });
      return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
    });
    const source = relative(outDir, id).split(sep).join('/');
    return withModules.replaceAll('import.meta.url', `new URL('${source}', import.meta.url).href`);
  },
});

const isOurs = (id) => id.startsWith('.') || id.startsWith('@inlay/') || isAbsolute(id);

/** Written under another name first, so that nobody reads half of it. */
const put = (file, text) => {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
};

const sweep = (outDir, kept) => {
  for (const name of readdirSync(outDir)) {
    const file = join(outDir, name);
    if (!kept.has(name) && statSync(file).mtimeMs < Date.now() - keptMs) rmSync(file, { force: true });
  }
};

/** Builds into a folder; the entry comes last and says when the build began, so that it tells a whole build of these sources. */
export const buildService = async (outDir = dist) => {
  const begun = new Date();
  const { rolldown } = await import('rolldown');
  const entry = join(here, 'src/main.ts');
  const bundle = await rolldown({
    // What stands above each module in the build names it from here.
    cwd: join(here, '../..'),
    input: entry,
    platform: 'node',
    external: (id) => !isOurs(id),
    plugins: [addresses(outDir)],
  });
  const { output } = await bundle.generate({
    format: 'es',
    entryFileNames: ({ facadeModuleId }) => (facadeModuleId === entry ? main : '[name]-[hash].mjs'),
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
  mkdirSync(outDir, { recursive: true });
  for (const { fileName, code } of output.toSorted((a, b) => Number(a.fileName === main) - Number(b.fileName === main)))
    put(join(outDir, fileName), code);
  utimesSync(join(outDir, main), begun, begun);
  sweep(outDir, new Set(output.map(({ fileName }) => fileName)));
};
