/** Writes the tables of item types as values, so that elements load none of the declarations that they are derived from. */
export const foldedTables = {
  name: 'folded-tables',
  enforce: 'pre',
  async load(id) {
    if (!id.includes('/contract/src/item-types/tables/')) return null;
    const { runnerImport } = await import('vite');
    const { module } = await runnerImport(id, { configFile: false, logLevel: 'warn' });
    return Object.entries(module)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join('\n');
  },
};
