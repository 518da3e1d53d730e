import type { TestProject } from 'vitest/node';
import { startClickhouse } from './clickhouse.ts';
import { startTrino } from './trino.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses of the engines that all files of `test/engines` share. */
    readonly sharedEngines: { readonly clickhouse: string; readonly trino: string; readonly lake: string };
  }
}

/** Run by vitest before any test of `test/engines` and, with what it returns, after all. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const [clickhouse, trino] = await Promise.all([startClickhouse(), startTrino()]);
  provide('sharedEngines', { clickhouse: clickhouse.url, trino: trino.url, lake: trino.lake });
  return async () => {
    await Promise.all([clickhouse.stop(), trino.stop()]);
  };
}
