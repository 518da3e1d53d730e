import type { SqlReader } from '../connector.ts';
import type { DriverContext } from '../provider.ts';
import { pooledReader } from '../session/pooled-reader.ts';
import { describeQuery, describeTable, listTables, mayWrite } from './catalog.ts';
import { trinoFailure, trinoQueryFailure } from './failure.ts';
import { usualPort } from './ports.ts';
import { properties } from './properties.ts';
import { queryRules } from './query-rules.ts';
import { runOn } from './run.ts';
import { trinoSessions, type TrinoSession } from './session.ts';

/** Opens the driver of Trino. */
export const openTrino = ({ outbound, pools }: DriverContext): SqlReader =>
  pooledReader<TrinoSession>(
    {
      ...trinoSessions(outbound),
      usualPort,
      begin: async (session, deadline) => session.begin(deadline),
      end: async (session) => session.end(),
      failure: trinoFailure,
      queryFailure: trinoQueryFailure,
      features: (session) => session.features(),
      listTables,
      describeTable,
      describeQuery,
      // Trino has no foreign keys.
      listForeignKeys: async () => [],
      mayWrite,
      run: runOn,
    },
    { outbound, pools, properties, queryRules },
  );
