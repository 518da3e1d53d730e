/** Writes the tables of item types as values, so that elements load none of the declarations that they are derived from. */
export const foldedTables = {
  name: 'folded-tables',
  enforce: 'pre',
  load: {
    filter: { id: /\/contract\/src\/item-types\/tables\// },
    async handler(id) {
      const { runnerImport } = await import('vite');
      const { module } = await runnerImport(id, { configFile: false, logLevel: 'warn' });
      return Object.entries(module)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  },
};
