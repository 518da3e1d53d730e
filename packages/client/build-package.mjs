// npm run build:package: writes what is published to npm into package/.
import { buildNpmPackage, runBuild } from '../../scripts/npm-package.mjs';

const parts = {
  name: 'client',
  entries: { index: 'index.ts' },
  types: ['index'],
  external: [],
  manifest: () => ({
    keywords: ['analytics', 'api', 'client', 'dashboard', 'embedded'],
    sideEffects: false,
    exports: {
      '.': { types: './types/client/index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
    types: './types/client/index.d.ts',
  }),
};

export const buildPackage = (outDir) => buildNpmPackage(parts, outDir);

if (import.meta.main) await runBuild(buildPackage, parts.name);
