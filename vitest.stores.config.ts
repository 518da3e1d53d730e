import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { ofPostgres, projectsOf, settingsOf } from './vitest.config.ts';

const ofStores = new Set(globSync(ofPostgres));

/** Files whose tests `npm test` runs all. */
const others = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.test.ts']).filter(
  (file) => !ofStores.has(file) && !/\.each\(storesToTest\)|describeStores\(/u.test(readFileSync(file, 'utf8')),
);

process.env['INLAY_TEST_STORE'] = 'postgres';

export default defineConfig({ test: { ...settingsOf(/on postgres/iu), projects: projectsOf(others) } });
