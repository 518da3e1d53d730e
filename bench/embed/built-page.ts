import { build } from 'vite';

/** Returns the script of a page: an entry of this folder and all it imports. */
export async function builtPage(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    root: new URL('.', import.meta.url).pathname,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: new URL(entry, import.meta.url).pathname, formats: ['es'] },
      rollupOptions: { output: { codeSplitting: false } },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  for (const output of outputs)
    if ('output' in output) for (const one of output.output) if (one.type === 'chunk') return one.code;
  throw new Error('nothing was built');
}
