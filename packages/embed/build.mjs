// Builds the elements into dist/ and compresses every file once.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { foldedTables } from './folded-tables.mjs';

const here = new URL('./', import.meta.url);
const dist = new URL('dist/', here);

/** What Vite puts around an import, to load style sheets ahead, once it is minified. */
const aroundImport =
  /\b[\w$]+\((?:\(\)=>|async\(\)=>\{let\{[\w$:,]+\}=await )(import\(`[^`]+`\))(?:;return\{[\w$:,]+\}\})?,(?:\[\]|__VITE_PRELOAD__)\)/gu;

/** Style sheets without the comments and spaces that people read them by. */
const tightStyles = (code) =>
  code
    .replaceAll(/\/\* [^*`]* \*\/ ?/gu, '')
    .replaceAll(/([;{]) (?=[a-z-]+:)/gu, '$1')
    .replaceAll(/([;{][a-z-]+): /gu, '$1:')
    .replaceAll(/(\((?:min|max)-(?:width|height)): /gu, '$1:')
    .replaceAll(/; \}/gu, '}')
    // Between a rule and the selector of the next one, and not between attributes of a template.
    .replaceAll(/\} (?=[.:@*a-z][^`${}=;]*\{[a-z-]+:)/gu, '}');

/**
 * Line breaks with what indents them stand in templates alone once the rest is minified, and mean no more than a space
 * there. Chunks without elements are left as they are.
 */
const tightTemplates = {
  name: 'tight-templates',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const isOurs =
        chunk.type === 'chunk' && chunk.moduleIds.some((id) => /\/embed\/src\/(?:board|card|elements)\//u.test(id));
      if (isOurs) chunk.code = tightStyles(chunk.code.replaceAll(/\n\s+/gu, ' '));
      if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(aroundImport, '$1');
    }
  },
};

const loadedChunk = /\bimport\(`\.\/chunk-([^`]+)\.js`\)/gu;

/** A name of two characters that stands for nothing in the code yet. */
const freeName = (code) => {
  const all = 'oabcdefghijklmnpqrstuvwxyz'.split('').map((letter) => `_${letter}`);
  return all.find((name) => !new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'u').test(code));
};

/**
 * Loads a chunk once more where it did not come, as while an instance restarts. Under another address, since browsers remember that
 * a module could not be loaded.
 */
const retriedChunks = {
  name: 'retried-chunks',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      // The code for it would be larger than a single import; the card of an item offers to load that again.
      if (chunk.type !== 'chunk' || (chunk.code.match(loadedChunk)?.length ?? 0) < 2) continue;
      const load = freeName(chunk.code);
      const once = `let ${load}=e=>import(e=\`./chunk-\${e}.js\`).catch(()=>import(e+\`?\`));`;
      chunk.code = once + chunk.code.replaceAll(loadedChunk, (_, name) => `${load}(\`${name}\`)`);
    }
  },
};

/** Parts of the elements, which every page may load, are named by their hash alone: their names would be in the first chunk. */
const namedByHash =
  /\/contract\/src\/dashboard\/|\/embed\/src\/(?:(?:board\/page\/)?[^/]+|card\/.*\/(?:menu|follow|content-view|table-sheet))\.ts$/u;

/** Chunks bring no style sheets and are not loaded ahead, so that nothing stands around an import. */
const plainImports = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load();' : null),
};

/** What every page needs, in one chunk: it is smaller than several, whatever chunks that are loaded later share of it. */
const core = { name: 'core', test: /\/embed\/src\/index\.ts$/u };

/** What the editor loads first, in one chunk too: its panels, which are loaded later, share much of it. */
const studio = { name: 'studio', test: /\/studio\/src\/index\.ts$/u };

/**
 * What nearly all drawn charts share, in one chunk: names that go from chunk to chunk and texts that compress alike would take
 * 5 KB more of each first chart.
 */
const drawn = {
  name: 'drawn',
  test: /node_modules\/(?:echarts|zrender|tslib)\/|\/embed\/src\/charts\//u,
  minShareCount: 12,
};

/** Compressed in blocks of the length that suits it: code of several kinds is smaller in shorter ones. */
const smallest = (plain) =>
  [6, 7, 8]
    .map((memLevel) => gzipSync(plain, { level: 9, memLevel }))
    .reduce((least, one) => (one.length < least.length ? one : least));

/** One module, and the chunks it loads when a chart of a type is first shown. */
export const buildElements = async () => {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: fileURLToPath(here),
    logLevel: 'warn',
    plugins: [foldedTables, plainImports, tightTemplates, retriedChunks],
    build: {
      target: 'es2022',
      outDir: 'dist',
      emptyOutDir: true,
      modulePreload: false,
      rollupOptions: {
        input: {
          inlay: fileURLToPath(new URL('src/script.ts', here)),
          demo: fileURLToPath(new URL('src/demo/page.ts', here)),
          share: fileURLToPath(new URL('src/share/page.ts', here)),
          editor: fileURLToPath(new URL('../studio/src/script.ts', here)),
        },
        preserveEntrySignatures: 'strict',
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: ({ facadeModuleId }) =>
            namedByHash.test(facadeModuleId ?? '') ? 'chunk-[hash:8].js' : 'chunk-[name]-[hash:7].js',
          format: 'es',
          codeSplitting: { groups: [core, studio, drawn] },
        },
      },
    },
  });
  // The entry comes last: it tells a whole build from one that was cut short.
  const names = readdirSync(dist).filter((name) => name.endsWith('.js'));
  for (const name of names.toSorted((a, b) => Number(a === 'inlay.js') - Number(b === 'inlay.js'))) {
    const plain = readFileSync(new URL(name, dist));
    writeFileSync(new URL(`${name}.gz`, dist), smallest(plain));
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };
    writeFileSync(new URL(`${name}.br`, dist), brotliCompressSync(plain, quality));
  }
};
