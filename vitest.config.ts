import { defineConfig } from 'vitest/config';
import { TallyReporter } from './test/support/reporter.ts';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['./test/support/fixed-seed.ts'],
    globalSetup: ['./test/support/require-node.ts', './test/support/shared-stores.ts'],
    reporters: [['default', { summary: false }], new TallyReporter((line) => process.stdout.write(line))],
    pool: 'forks',
    maxWorkers: 2,
    // The long counts take what they take; a test whose time is part of its promise names it itself.
    testTimeout: process.env['INLAY_TEST_FULL'] === '1' ? 1_800_000 : 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    passWithNoTests: false,
  },
});
