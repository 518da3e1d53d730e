// npm run build:package: writes what is published to npm into package/: JavaScript, types, README and licence.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { foldedTables } from './folded-tables.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const typescript = join(root, 'node_modules/typescript/bin/tsc');

/** ECharts is taken in the minor version it was tried with: charts reach into how it measures texts. */
const range = ([name, version]) => [name, `${/^(?:echarts|zrender)$/u.test(name) ? '~' : '^'}${version}`];

const manifest = ({ name, version, description, license, dependencies }) => ({
  name,
  version,
  description,
  license,
  keywords: ['analytics', 'charts', 'custom-elements', 'dashboard', 'embedded', 'web-components'],
  type: 'module',
  sideEffects: ['./define.js'],
  exports: {
    '.': { types: './types/embed/index.d.ts', default: './index.js' },
    './define': { types: './types/embed/script.d.ts', default: './define.js' },
    './react': { types: './types/embed/react.d.ts', default: './react.js' },
    './package.json': './package.json',
  },
  types: './types/embed/index.d.ts',
  files: ['*.js', 'chunks', 'types'],
  dependencies: Object.fromEntries(Object.entries(dependencies).map(range)),
});

const buildScripts = async (outDir) => {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: here,
    logLevel: 'warn',
    publicDir: false,
    plugins: [foldedTables],
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: true,
      minify: false,
      lib: { entry: { index: join(here, 'src/index.ts'), define: join(here, 'src/script.ts') }, formats: ['es'] },
      rollupOptions: {
        external: /^(?:lit|echarts|zrender|d3-[a-z]+)(?:\/|$)/u,
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
      },
    },
  });
};

/** Declarations of one package of the workspace, as TypeScript writes them. */
const declare = (name, outDir) => {
  const options = ['--noEmit', 'false', '--emitDeclarationOnly', '--declaration', '--rootDir', `${name}/src`];
  const project = ['-p', join(root, 'packages', name), ...options, '--outDir', join(outDir, name)];
  execFileSync(process.execPath, [typescript, ...project], { cwd: join(root, 'packages'), stdio: 'inherit' });
};

/** The source of each path that the contract exports, such as `@inlay/contract/theme`. */
const contractSources = Object.fromEntries(
  Object.entries(JSON.parse(readFileSync(join(root, 'packages/contract/package.json'), 'utf8')).exports).map(
    ([path, source]) => [join('@inlay/contract', path), source.replace(/^\.\/src\/(.*)\.ts$/u, 'contract/$1.js')],
  ),
);

/** Copies a declaration and all that it imports from the workspace, with names that resolve in any project. */
const copyTypes = (from, to, name, done = new Set()) => {
  if (done.has(name)) return;
  done.add(name);
  const text = readFileSync(join(from, name.replace(/\.js$/u, '.d.ts')), 'utf8').replaceAll(
    /(from |import\()(['"])(@inlay\/contract[^'"]*|\.[^'"]*\.ts)\2/gu,
    (_whole, before, quote, path) => {
      const wanted = path.startsWith('@')
        ? relative(dirname(name), contractSources[path])
        : path.replace(/\.ts$/u, '.js');
      copyTypes(from, to, join(dirname(name), wanted), done);
      return `${before}${quote}${wanted}${quote}`;
    },
  );
  mkdirSync(join(to, dirname(name)), { recursive: true });
  writeFileSync(join(to, name.replace(/\.js$/u, '.d.ts')), text);
};

/** Writes the package into a folder, which `npm pack` and `npm publish` then take as it is. */
export const buildPackage = async (outDir) => {
  await buildScripts(outDir);
  const declared = mkdtempSync(join(tmpdir(), 'inlay-types-'));
  try {
    for (const name of ['contract', 'embed']) declare(name, declared);
    const done = new Set();
    for (const name of ['embed/index.js', 'embed/script.js', 'embed/react.js'])
      copyTypes(declared, join(outDir, 'types'), name, done);
  } finally {
    rmSync(declared, { recursive: true });
  }
  // Types alone stand behind it.
  writeFileSync(join(outDir, 'react.js'), 'export {};\n');
  copyFileSync(join(root, 'LICENSE'), join(outDir, 'LICENSE'));
  copyFileSync(join(here, 'README.md'), join(outDir, 'README.md'));
  const own = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(manifest(own), null, 2)}\n`);
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const outDir = process.argv[2] ?? join(here, 'package');
  await buildPackage(outDir);
  process.stdout.write(`The package is in ${outDir}: \`npm publish\` or \`npm pack\` there.\n`);
}
