import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { TallyReporter } from './test/support/reporter.ts';

const isFull = process.env['INLAY_TEST_FULL'] === '1';

const common: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['./test/support/fixed-seed.ts'],
  pool: 'forks',
  // The long counts take what they take; a test whose time is part of its promise names it itself.
  testTimeout: isFull ? 1_800_000 : 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
};

const folders = ['access', 'api', 'clients', 'corpus', 'docs', 'export', 'support'];
/** Test files that can share a process with others. */
const shared = ['packages/*/src/**/*.test.ts', ...folders.map((folder) => `test/${folder}/**/*.test.ts`)];

/** What every run of tests has. Ends with the tally of the tests whose names match `selected`. */
export const settingsOf = (selected?: RegExp): ViteUserConfig['test'] => ({
  globalSetup: ['./test/support/require-node.ts', './test/support/shared-stores.ts'],
  reporters: [['default', { summary: false }], new TallyReporter((line) => process.stdout.write(line), selected)],
  sequence: { sequencer: LongestFirst },
  maxWorkers: 2,
  teardownTimeout: 20_000,
  passWithNoTests: false,
  ...(selected === undefined ? {} : { testNamePattern: selected }),
});

/** The projects of all test files but those excluded. */
export const projectsOf = (exclude: readonly string[] = []): TestProjectInlineConfiguration[] => [
  // One process per file: some of these measure memory or time, or change their process.
  { test: { ...common, name: 'isolated', include: ['test/**/*.test.ts'], exclude: [...shared, ...exclude] } },
  // Modules are loaded once per process, which takes a third less time.
  { test: { ...common, name: 'shared', include: shared, exclude: [...exclude], isolate: false } },
];

/** Tests of faults that only the PostgreSQL store can have, which `npm run test:stores` runs. */
export const ofPostgres = 'test/reliability/postgres/*.test.ts';

export default defineConfig({ test: { ...settingsOf(), projects: projectsOf(isFull ? [] : [ofPostgres]) } });
