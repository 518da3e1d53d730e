import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@inlay/contract';
import { checkConnector, type ConnectorFinding } from '../../connectors/check/check-connector.ts';
import type { SqlConnector } from '../../connectors/connector.ts';
import { createConnectors } from '../../connectors/index.ts';
import { providers } from '../../connectors/providers.ts';
import { Bulkhead, maxLeases } from '../../connectors/session/bulkhead.ts';
import { openEngine } from '../../engine/open-engine.ts';
import { createOutbound } from '../../outbound/index.ts';
import { readArguments, required } from '../arguments.ts';
import { UsageFault } from '../faults.ts';
import type { Host } from '../host.ts';

const text = { type: 'string' } as const;
const engineSize = { memoryMb: 512, children: 1, threads: 1, spillMb: 256, deadlineMs: 60_000 } as const;

/** Reads `NAME=VALUE`. Whole numbers, `true` and `false` are no texts. */
function propertiesOf(settings: readonly string[]): JsonObject {
  return Object.fromEntries(
    settings.map((setting) => {
      const [name = '', ...rest] = setting.split('=');
      const value = rest.join('=');
      if (name === '' || rest.length === 0) throw new UsageFault('--property must be NAME=VALUE');
      if (value === 'true' || value === 'false') return [name, value === 'true'];
      return [name, /^\d{1,9}$/u.test(value) ? Number(value) : value];
    }),
  );
}

function sqlConnector(connectors: ReturnType<typeof createConnectors>, provider: string): SqlConnector {
  const connector = connectors.of(provider);
  if (connector?.kind === 'sql') return connector;
  const names = providers.filter(({ kind }) => kind === 'sql').map(({ name }) => name);
  throw new UsageFault(`PROVIDER must be one of ${names.join(', ')}`);
}

/** Replaces control characters of the terminal in untrusted text by spaces. */
const printableText = (line: string): string => line.replaceAll(/\p{C}/gu, ' ');

/** Checks a database as a source, and compares its answers with those of the columnar engine over the same rows. */
export async function connectorCheck(args: readonly string[], host: Host): Promise<number> {
  const { values, words } = readArguments(
    args,
    {
      host: text,
      port: text,
      database: text,
      user: text,
      password: text,
      property: { type: 'string', multiple: true },
      table: text,
      json: { type: 'boolean' },
    },
    ['PROVIDER'],
  );
  const params = {
    accountId: 'check',
    organizationId: 'check',
    host: required(values.host, '--host'),
    port: values.port ?? null,
    scope: required(values.database, '--database'),
    identifier: required(values.user, '--user'),
    token: values.password ?? null,
    properties: propertiesOf(values.property ?? []),
  };
  // Allows every address, since the operator can reach any address from this machine anyway.
  const outbound = createOutbound({ policy: { allowPrivateHosts: true, allowHosts: [] } });
  const bulkhead = new Bulkhead(maxLeases, Date.now);
  const describe = (): Promise<never> => Promise.reject(new UsageFault('files are not checked'));
  const connectors = createConnectors({ outbound, bulkhead, size: 2, filesDir: undefined, describe });
  const connector = sqlConnector(connectors, words[0] ?? '');
  const dataDir = await mkdtemp(join(tmpdir(), 'inlay-check-'));
  const engine = openEngine({ dataDir, ...engineSize });
  const findings: ConnectorFinding[] = [];
  try {
    const { signal } = new AbortController();
    for await (const finding of checkConnector({ connector, engine, params, table: values.table ?? null, signal })) {
      findings.push(finding);
      if (values.json !== true) host.out(printableText(`${finding.level}  ${finding.check}: ${finding.description}`));
    }
  } finally {
    connectors.close();
    await engine.close();
    await outbound.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  const failureCount = findings.filter(({ level }) => level === 'fail').length;
  if (values.json === true) host.out(JSON.stringify({ ok: failureCount === 0, checks: findings }, null, 2));
  else host.out(failureCount === 0 ? 'Everything that was checked works.' : `${failureCount} failed.`);
  return failureCount === 0 ? 0 : 1;
}
