// Writes a package of the workspace as it is published to npm: JavaScript, types, README and licence.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const packages = join(root, 'packages');
const typescript = join(root, 'node_modules/typescript/bin/tsc');
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The packages of the workspace that published packages contain. */
const contained = ['contract', 'client'];

/** The source of each path that these packages export, such as `@inlay/contract/theme`. */
const sources = Object.fromEntries(
  contained.flatMap((name) =>
    Object.entries(readJson(join(packages, name, 'package.json')).exports).map(([path, source]) => [
      join('@inlay', name, path),
      source.replace(/^\.\/src\/(.*)\.ts$/u, `${name}/$1.js`),
    ]),
  ),
);

const buildScripts = async ({ name, entries, external }, outDir) => {
  const { build } = await import('vite');
  const folder = join(packages, name);
  await build({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    publicDir: false,
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: true,
      minify: false,
      lib: {
        entry: Object.fromEntries(Object.entries(entries).map(([entry, file]) => [entry, join(folder, 'src', file)])),
        formats: ['es'],
      },
      rollupOptions: {
        external,
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
      },
    },
  });
};

/** Declarations of one package of the workspace, as TypeScript writes them. */
const declare = (name, outDir) => {
  const options = ['--noEmit', 'false', '--emitDeclarationOnly', '--declaration', '--rootDir', `${name}/src`];
  const project = ['-p', join(packages, name), ...options, '--outDir', join(outDir, name)];
  execFileSync(process.execPath, [typescript, ...project], { cwd: packages, stdio: 'inherit' });
};

/** Copies a declaration and all that it imports from the workspace, with names that resolve in any project. */
const copyTypes = (from, to, name, done = new Set()) => {
  if (done.has(name)) return;
  done.add(name);
  const text = readFileSync(join(from, name.replace(/\.js$/u, '.d.ts')), 'utf8').replaceAll(
    /(from |import\()(['"])(@inlay\/[^'"]+|\.[^'"]*\.ts)\2/gu,
    (_whole, before, quote, path) => {
      const target = path.startsWith('@') ? relative(dirname(name), sources[path]) : path.replace(/\.ts$/u, '.js');
      copyTypes(from, to, join(dirname(name), target), done);
      return `${before}${quote}${target.startsWith('.') ? target : `./${target}`}${quote}`;
    },
  );
  mkdirSync(join(to, dirname(name)), { recursive: true });
  writeFileSync(join(to, name.replace(/\.js$/u, '.d.ts')), text);
};

const manifestOf = ({ name, version, description, license }, further) => ({
  name,
  version,
  description,
  license,
  type: 'module',
  ...further,
  files: ['*.js', 'chunks', 'types'],
});

/**
 * Writes a package into a folder, which `npm pack` and `npm publish` then take as it is. `parts` names the package, its entries
 * by their sources, the sources of types, what it imports from npm and the further members of its package.json.
 */
export const buildNpmPackage = async (parts, outDir) => {
  await buildScripts(parts, outDir);
  const declared = mkdtempSync(join(tmpdir(), 'inlay-types-'));
  try {
    for (const name of new Set([...contained, parts.name])) declare(name, declared);
    const done = new Set();
    for (const source of parts.types) copyTypes(declared, join(outDir, 'types'), `${parts.name}/${source}.js`, done);
  } finally {
    rmSync(declared, { recursive: true });
  }
  const folder = join(packages, parts.name);
  copyFileSync(join(root, 'LICENSE'), join(outDir, 'LICENSE'));
  copyFileSync(join(folder, 'README.md'), join(outDir, 'README.md'));
  const own = readJson(join(folder, 'package.json'));
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(manifestOf(own, parts.manifest(own)), null, 2)}\n`);
};

/** Writes a package into the folder that the command line names, or into `package/` next to its sources. */
export const runBuild = async (build, name) => {
  const outDir = process.argv[2] ?? join(packages, name, 'package');
  await build(outDir);
  process.stdout.write(`The package is in ${outDir}: \`npm publish\` or \`npm pack\` there.\n`);
};
