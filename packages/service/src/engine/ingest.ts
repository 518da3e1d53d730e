import type { Engine } from './engine.ts';
import type { Pool } from './pool.ts';
import type { VersionFiles } from './version-files.ts';

/** Writes dataset versions in children of their own. */
export function createIngest(_writers: Pool, _files: VersionFiles, _deadlineMs: number): Engine['ingest'] {
  return () => {
    throw new Error('not built yet');
  };
}
