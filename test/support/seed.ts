import { isFull } from './counts.ts';

/**
 * The seed of random tests: the same in every usual run, so that chance decides no result; a new one in each full run.
 * `INLAY_TEST_SEED` repeats an earlier one.
 */
export const runSeed = Number(
  process.env['INLAY_TEST_SEED'] ?? (isFull ? Math.floor(Math.random() * 2 ** 31) : 20_240_229),
);
