import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** How a test run ended. `failed` includes files that could not be loaded and errors outside any test. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** @returns the line a run ends with: `N passed, N failed`, then `, N skipped` when there are any. */
export const tallyLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** Counts the tests of a run. Tests whose names do not match `selected` are no part of it. */
export const tallyOf = (
  modules: readonly Pick<TestModule, 'children' | 'errors'>[],
  unhandledErrors: readonly unknown[],
  selected = /(?:)/u,
): Tally => {
  const tally = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const module of modules) {
    tally.failed += module.errors().length;
    for (const suite of module.children.allSuites()) tally.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      if (!selected.test(test.fullName)) continue;
      const { state } = test.result();
      if (state === 'passed') tally.passed += 1;
      else if (state === 'skipped') tally.skipped += 1;
      else tally.failed += 1;
    }
  }
  return tally;
};

interface ThrownError {
  readonly message: string;
  readonly stack?: string;
}

/** Returns the title of each failed test or file, followed by its errors and where the first one was thrown. */
export function failureReport(modules: readonly FailureSource[], unhandledErrors: readonly ThrownError[]): string {
  const failures: string[] = [];
  const add = (title: string, errors: readonly ThrownError[]): void => {
    const place = errors[0]?.stack?.split('\n').find((line) => /^\s+at /u.test(line)) ?? '';
    failures.push([`FAILED ${title}`, ...errors.map(({ message }) => message), place].join('\n'));
  };
  if (unhandledErrors.length > 0) add('outside any test', unhandledErrors);
  for (const module of modules) {
    if (module.errors().length > 0) add(module.moduleId, module.errors());
    for (const suite of module.children.allSuites())
      if (suite.errors().length > 0) add(`${module.moduleId} > ${suite.fullName}`, suite.errors());
    for (const test of module.children.allTests('failed'))
      add(`${module.moduleId} > ${test.fullName}`, test.result().errors ?? []);
  }
  return failures.map((failure) => `${failure}\n`).join('');
}

type FailureSource = Pick<TestModule, 'moduleId' | 'children' | 'errors'>;

/**
 * Returns the tally to print when the process ends with this exit code: one failure at least when the run broke before
 * its tests.
 */
export const finalTally = (tally: Tally | undefined, exitCode: number): Tally => {
  const { passed, failed, skipped } = tally ?? { passed: 0, failed: 1, skipped: 0 };
  return { passed, failed: exitCode === 0 ? failed : Math.max(failed, 1), skipped };
};

/**
 * A vitest reporter whose tally is the very last line of the run. Appends what failed to the file that
 * `TEST_FAILURES_FILE` names, for a summary of several runs.
 */
export class TallyReporter implements Reporter {
  readonly #write: (text: string) => void;
  readonly #selected: RegExp | undefined;
  #tally: Tally | undefined;

  constructor(write: (text: string) => void, selected?: RegExp) {
    this.#write = write;
    this.#selected = selected;
  }

  onInit(): void {
    process.on('exit', (code) => this.#write(`\n${tallyLine(finalTally(this.#tally, code))}\n`));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly ThrownError[]): void {
    this.#tally = tallyOf(modules, unhandledErrors, this.#selected);
    const path = process.env['TEST_FAILURES_FILE'];
    if (path !== undefined) appendFileSync(path, failureReport(modules, unhandledErrors));
  }
}
