import { EngineProblem, type Engine } from './engine.ts';

const refuse = (): never => {
  throw new EngineProblem('failed', 'this instance has no engine');
};

/** Stands where an instance has no columnar engine: every use of it is refused. */
export const absentEngine: Engine = {
  query: async () => refuse(),
  exportRows: async () => refuse(),
  describe: async () => refuse(),
  checkSelect: async () => refuse(),
  ingest: () => refuse(),
  versionPath: () => refuse(),
  keepVersions: async () => undefined,
  close: async () => undefined,
};
