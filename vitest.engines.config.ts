import { defineConfig } from 'vitest/config';
import { ofEachProject, settingsOf } from './vitest.config.ts';

/** All tests share one ClickHouse and one cluster of Trino, which run nothing else at the same time. */
export default defineConfig({
  test: {
    ...ofEachProject,
    ...settingsOf(),
    globalSetup: [
      './test/support/require-node.ts',
      './test/support/shared-stores.ts',
      './test/support/shared-engines.ts',
    ],
    include: ['test/engines/**/*.test.ts'],
    fileParallelism: false,
    isolate: false,
    maxWorkers: 1,
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
  },
});
