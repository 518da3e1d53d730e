import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { projectsOf, settingsOf } from './vitest.config.ts';

/** Files without a test of both stores that `npm test` runs on the embedded one alone. */
const others = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.test.ts']).filter(
  (file) => !/\.each\(storesToTest\)|describeStores\(/u.test(readFileSync(file, 'utf8')),
);

process.env['INLAY_TEST_STORE'] = 'postgres';

export default defineConfig({ test: { ...settingsOf(/on postgres/u), projects: projectsOf(others) } });
