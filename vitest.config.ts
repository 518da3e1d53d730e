import { defineConfig } from 'vitest/config';
import { TallyReporter } from './test/support/reporter.ts';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['./test/support/require-node.ts'],
    reporters: [['default', { summary: false }], new TallyReporter((line) => process.stdout.write(line))],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    passWithNoTests: false,
  },
});
