import { defineConfig } from 'vite';

// A library build of one module and the chunks it loads when a chart of a type is first shown.
export default defineConfig({
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    modulePreload: false,
    reportCompressedSize: true,
    rollupOptions: {
      input: { inlay: new URL('src/script.ts', import.meta.url).pathname },
      preserveEntrySignatures: 'strict',
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunk-[name]-[hash].js', format: 'es' },
    },
  },
});
