import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { TallyReporter } from './test/support/reporter.ts';

const isFull = process.env['INLAY_TEST_FULL'] === '1';

/** What every project of tests has. */
export const ofEachProject: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['./test/support/fixed-seed.ts'],
  pool: 'forks',
  // The long counts take what they take; a test whose time is part of its promise names it itself.
  testTimeout: isFull ? 1_800_000 : 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

/** Test files with a process each: they measure its memory, its time or its open files, or change it. */
const isolated = [
  'test/reliability/**/*.test.ts',
  'test/connectors/left-running.test.ts',
  'test/data/{busy,ends}.test.ts',
  'test/plugins/stalling.test.ts',
  'test/security/{hostile-files,malformed-input,regular-expressions,same-answers,search-cost}.test.ts',
  'test/sso/provider-down.test.ts',
];

/** What every run of tests has. Ends with the tally of the tests whose names match `selected`. */
export const settingsOf = (selected?: RegExp): ViteUserConfig['test'] => ({
  globalSetup: [
    './test/support/require-node.ts',
    './test/support/shared-stores.ts',
    './test/support/missing-engines.ts',
  ],
  reporters: [['default', { summary: false }], new TallyReporter((line) => process.stdout.write(line), selected)],
  sequence: { sequencer: LongestFirst },
  // One more than the cores that the tests are written for: they wait for a seventh of their time.
  maxWorkers: 3,
  teardownTimeout: 20_000,
  passWithNoTests: false,
  ...(selected === undefined ? {} : { testNamePattern: selected }),
});

/** Tests on engines that `npm run engines:install` installs, which `npm run test:engines` runs. */
const ofEngines = 'test/engines/**/*.test.ts';

/** The projects of all test files but those excluded. */
export const projectsOf = (exclude: readonly string[] = []): TestProjectInlineConfiguration[] => [
  { test: { ...ofEachProject, name: 'isolated', include: isolated, exclude: [...exclude] } },
  // The other files share two processes, which load each module once: about a second less per file.
  {
    test: {
      ...ofEachProject,
      name: 'shared',
      include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
      exclude: [...isolated, ofEngines, ...exclude],
      isolate: false,
    },
  },
];

/** Tests of faults that only the PostgreSQL store can have, which `npm run test:stores` runs. */
export const ofPostgres = 'test/reliability/postgres/*.test.ts';

export default defineConfig({ test: { ...settingsOf(), projects: projectsOf(isFull ? [] : [ofPostgres]) } });
