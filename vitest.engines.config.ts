import { defineConfig } from 'vitest/config';
import { ofEachProject, settingsOf } from './vitest.config.ts';

/** All tests share one cluster of Trino, and nothing else runs at the same time. */
export default defineConfig({
  test: {
    ...ofEachProject,
    ...settingsOf(/on (?:clickhouse|trino)/iu),
    globalSetup: [
      './test/support/require-node.ts',
      './test/support/shared-stores.ts',
      './test/support/shared-engines.ts',
    ],
    include: [
      'test/engines/**/*.test.ts',
      'test/connectors/{check,databases,left-running,tls}.test.ts',
      'test/corpus/{corpus,differential,edges,functions,percentiles}.test.ts',
      'test/security/{injection,row-oracle,visible-keys}.test.ts',
    ],
    fileParallelism: false,
    isolate: false,
    maxWorkers: 1,
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
  },
});
