import { haveClickhouse } from './clickhouse.ts';
import { haveSeaweedfs } from './seaweedfs.ts';
import { haveTrino } from './trino.ts';

/** Run by vitest before any test: names the engines whose tests are skipped. */
export const setup = (): void => {
  for (const missing of [haveClickhouse(), haveTrino(), haveSeaweedfs()])
    if (missing !== undefined) process.stdout.write(`${missing}. Its tests are skipped.\n`);
};
