import type { TestProject } from 'vitest/node';
import { startClickhouse } from './clickhouse.ts';
import { startSeaweedfs, type ObjectStore } from './seaweedfs.ts';
import { startTrino } from './trino.ts';

/** Addresses of the engines that all files of `npm run test:engines` share. */
export interface SharedEngines {
  readonly clickhouse: string;
  readonly trino: string;
  /** Folder that the catalog `lake` of Trino reads. */
  readonly lake: string;
  /** Object store that the catalog `objects` of Trino reads. */
  readonly objects: ObjectStore;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined in other runs. */
    readonly sharedEngines: SharedEngines | undefined;
  }
}

/** Run by vitest before any test of `npm run test:engines` and, with what it returns, after all. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { stop: stopObjects, ...objects } = await startSeaweedfs();
  const [clickhouse, trino] = await Promise.all([startClickhouse(), startTrino({ objects })]);
  provide('sharedEngines', { clickhouse: clickhouse.url, trino: trino.url, lake: trino.lake, objects });
  return async () => {
    await Promise.all([clickhouse.stop(), trino.stop(), stopObjects()]);
  };
}
