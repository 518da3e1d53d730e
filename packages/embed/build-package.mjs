// npm run build:package: writes what is published to npm into package/.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNpmPackage, runBuild } from '../../scripts/npm-package.mjs';

/** ECharts is taken in the minor version it was tried with: charts reach into how it measures texts. */
const range = ([name, version]) => [name, `${/^(?:echarts|zrender)$/u.test(name) ? '~' : '^'}${version}`];

const parts = {
  name: 'embed',
  entries: { index: 'index.ts', define: 'script.ts' },
  types: ['index', 'script', 'react'],
  external: /^(?:lit|echarts|zrender|d3-[a-z]+)(?:\/|$)/u,
  manifest: ({ dependencies }) => ({
    keywords: ['analytics', 'charts', 'custom-elements', 'dashboard', 'embedded', 'web-components'],
    sideEffects: ['./define.js'],
    exports: {
      '.': { types: './types/embed/index.d.ts', default: './index.js' },
      './define': { types: './types/embed/script.d.ts', default: './define.js' },
      './react': { types: './types/embed/react.d.ts', default: './react.js' },
      './package.json': './package.json',
    },
    types: './types/embed/index.d.ts',
    dependencies: Object.fromEntries(Object.entries(dependencies).map(range)),
  }),
};

export const buildPackage = async (outDir) => {
  await buildNpmPackage(parts, outDir);
  // It has types alone.
  writeFileSync(join(outDir, 'react.js'), 'export {};\n');
};

if (import.meta.main) await runBuild(buildPackage, parts.name);
