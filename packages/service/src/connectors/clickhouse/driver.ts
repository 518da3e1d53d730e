import type { SqlReader } from '../connector.ts';
import type { DriverContext } from '../provider.ts';
import { pooledReader } from '../session/pooled-reader.ts';
import { describeQuery, describeTable, listTables, mayWrite } from './catalog.ts';
import { clickhouseFailure, clickhouseQueryFailure } from './failure.ts';
import { usualPort } from './ports.ts';
import { properties } from './properties.ts';
import { queryRules } from './query-rules.ts';
import { runOn } from './run.ts';
import { clickhouseSessions, type ClickhouseSession } from './session.ts';

/** Opens the driver of ClickHouse. */
export const openClickhouse = ({ outbound, pools }: DriverContext): SqlReader =>
  pooledReader<ClickhouseSession>(
    {
      ...clickhouseSessions(outbound),
      usualPort,
      begin: async (session, deadline) => session.begin(deadline),
      end: async (session) => session.end(),
      failure: clickhouseFailure,
      queryFailure: clickhouseQueryFailure,
      features: async ({ features }) => features,
      listTables,
      describeTable,
      describeQuery,
      // ClickHouse has no foreign keys.
      listForeignKeys: async () => [],
      mayWrite,
      run: runOn,
    },
    { outbound, pools, properties, queryRules },
  );
