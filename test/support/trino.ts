import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folders, javaHome, missingTrino, trino } from '../../scripts/engines/engines.ts';
import { awakeClock } from './awake.ts';
import { freePort } from './free-port.ts';
import { endWithUs } from './outlive.ts';
import type { ObjectStore } from './seaweedfs.ts';

/** A cluster of Trino of our own on 127.0.0.1: a coordinator, which runs no part of a query itself, and workers. */
export interface Trino {
  readonly port: number;
  readonly url: string;
  /** Folder that the catalog `lake` reads as `local:///`: Parquet files in it can be external tables. */
  readonly lake: string;
  /** Runs a statement, and returns its rows as they come in JSON. */
  run(statement: string): Promise<readonly (readonly unknown[])[]>;
  /** Number of nodes that the coordinator counts as active, with itself. */
  activeNodes(): Promise<number>;
  /** Kills a worker by SIGKILL, or starts it again and waits until it is active. */
  killWorker(index: number): Promise<void>;
  startWorker(index: number): Promise<void>;
  /** Kills the coordinator and starts it again on its port; waits until all workers are active. */
  restartCoordinator(): Promise<void>;
  /** Stops the process of the coordinator by SIGSTOP, so that it accepts connections and answers nothing, or continues it. */
  suspendCoordinator(): void;
  resumeCoordinator(): void;
  /** Ends all nodes and removes their data. */
  stop(): Promise<void>;
}

/** @returns why Trino cannot be started here, in one sentence; undefined when it can. */
export const haveTrino = missingTrino;

const readyLimitMs = 180_000;
const answerLimitMs = 120_000;
const plugins = trino.plugins.map(({ name }) => name.split(':').slice(1, 3).join('-'));

const jvmOptions = (megabytes: number): readonly string[] => [
  `-Xmx${megabytes}M`,
  '-XX:+UseSerialGC',
  // Queries of tests are short: compiling them further takes longer than they run.
  '-XX:TieredStopAtLevel=1',
  '-XX:-UsePerfData',
  '-Xshare:auto',
  '-Djdk.attach.allowAttachSelf=true',
  '-Djdk.nio.maxCachedBufferSize=2000000',
  '-Dfile.encoding=UTF-8',
  '-Duser.timezone=UTC',
  '--add-modules=jdk.incubator.vector',
  '--enable-native-access=ALL-UNNAMED',
  '--sun-misc-unsafe-memory-access=allow',
];

/** Writes a file of properties. */
const writeProperties = (path: string, properties: Readonly<Record<string, string | number | boolean>>): void =>
  writeFileSync(
    path,
    Object.entries(properties)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );

/** A process of the cluster, which can be killed and started again with the same configuration. */
class TrinoNode {
  readonly port: number;
  readonly #name: string;
  readonly #home: string;
  readonly #megabytes: number;
  #child: ChildProcess | undefined;
  #output = '';

  constructor(home: string, name: string, port: number, megabytes: number) {
    this.port = port;
    this.#name = name;
    this.#home = join(home, name);
    this.#megabytes = megabytes;
  }

  /** Writes the configuration. */
  configure(coordinatorPort: number, lake: string, objects: ObjectStore | undefined): void {
    const catalogs = join(this.#home, 'etc/catalog');
    mkdirSync(catalogs, { recursive: true });
    const isCoordinator = this.port === coordinatorPort;
    writeProperties(join(this.#home, 'etc/config.properties'), {
      coordinator: isCoordinator,
      'http-server.http.port': this.port,
      'discovery.uri': `http://127.0.0.1:${coordinatorPort}`,
      'plugin.dir': join(this.#home, '../plugins'),
      'query.max-memory': '1GB',
      'query.max-memory-per-node': '300MB',
      'memory.heap-headroom-per-node': '150MB',
      'internal-communication.shared-secret': 'only-for-a-test-on-loopback',
      'catalog.management': 'static',
      ...(isCoordinator ? { 'node-scheduler.include-coordinator': false } : {}),
    });
    writeProperties(join(this.#home, 'etc/log.properties'), {
      'io.trino': 'WARN',
      'io.airlift': 'WARN',
      Bootstrap: 'WARN',
    });
    writeProperties(join(catalogs, 'memory.properties'), {
      'connector.name': 'memory',
      'memory.max-data-per-node': '200MB',
    });
    writeProperties(join(catalogs, 'tpch.properties'), { 'connector.name': 'tpch' });
    const hive = {
      'connector.name': 'hive',
      'hive.metastore': 'file',
      'hive.non-managed-table-writes-enabled': true,
      'hive.timestamp-precision': 'MICROSECONDS',
      'hive.security': 'allow-all',
    } as const;
    writeProperties(join(catalogs, 'lake.properties'), {
      ...hive,
      'hive.metastore.catalog.dir': 'local:///warehouse',
      'fs.native-local.enabled': true,
      'local.location': lake,
    });
    if (objects === undefined) return;
    writeProperties(join(catalogs, 'objects.properties'), {
      ...hive,
      'hive.metastore.catalog.dir': `s3://${objects.bucket}/warehouse`,
      'fs.native-s3.enabled': true,
      's3.endpoint': objects.endpoint,
      's3.region': 'us-east-1',
      's3.path-style-access': true,
      's3.aws-access-key': objects.keyId,
      's3.aws-secret-key': objects.secretKey,
    });
  }

  start(java: string): void {
    const server = join(folders().trino, `trino-server-core-${trino.version}`);
    const node = { environment: 'test', id: this.#name, 'data-dir': join(this.#home, 'data') };
    const child = spawn(
      join(java, 'bin/java'),
      [
        ...jvmOptions(this.#megabytes),
        ...Object.entries(node).map(([name, value]) => `-Dnode.${name}=${value}`),
        '-Dnode.internal-address=127.0.0.1',
        `-Dconfig=${join(this.#home, 'etc/config.properties')}`,
        `-Dlog.levels-file=${join(this.#home, 'etc/log.properties')}`,
        '-cp',
        join(server, 'lib/*'),
        'io.trino.server.TrinoServer',
      ],
      { cwd: this.#home, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.#output = (this.#output + chunk.toString()).slice(-20_000)));
    if (child.pid !== undefined) child.once('exit', endWithUs(child.pid, 'KILL', join(this.#home, '..')));
    this.#child = child;
  }

  get output(): string {
    return `${this.#name}:\n${this.#output}`;
  }
  get hasExited(): boolean {
    return this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  send(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }
  kill(): void {
    this.send('SIGKILL');
  }
  async end(): Promise<void> {
    if (this.#child === undefined || this.hasExited) return;
    const exited = once(this.#child, 'exit');
    this.kill();
    await exited;
  }
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  value instanceof Object ? Object.fromEntries(Object.entries(value)) : {};

/** Puts integers beyond 2^53 into quotes, so that they keep all digits. */
const withAllDigits = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gu, (token) => (/^-?\d{16,}$/u.test(token) ? `"${token}"` : token));

/**
 * Runs a statement over the protocol of Trino.
 *
 * @param schema of the catalog `memory`, in which tables without one are
 * @throws Error with name and message of the cluster's error
 */
export async function trinoRows(
  url: string,
  statement: string,
  schema = 'default',
): Promise<readonly (readonly unknown[])[]> {
  const rows: unknown[][] = [];
  const headers = {
    'x-trino-user': 'test',
    'x-trino-time-zone': 'UTC',
    'x-trino-catalog': 'memory',
    'x-trino-schema': schema,
    'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
  };
  const signal = AbortSignal.timeout(answerLimitMs);
  let answer = await fetch(`${url}/v1/statement`, { method: 'POST', body: statement, headers, signal });
  for (;;) {
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    const { data, nextUri, error } = asRecord(JSON.parse(withAllDigits(await answer.text())));
    const { errorName, message } = asRecord(error);
    if (errorName !== undefined) throw new Error(JSON.stringify({ errorName, message }));
    if (Array.isArray(data)) rows.push(...data.flatMap((row: unknown) => (Array.isArray(row) ? [row] : [])));
    if (typeof nextUri !== 'string') return rows;
    answer = await fetch(nextUri, { headers, signal });
  }
}

class Cluster implements Trino {
  readonly url: string;
  readonly port: number;
  readonly lake: string;
  readonly #home: string;
  readonly #java: string;
  readonly #coordinator: TrinoNode;
  readonly #workers: readonly TrinoNode[];
  readonly #remove = (): void => {
    for (const node of this.#nodes) node.kill();
    rmSync(this.#home, { recursive: true, force: true });
  };

  constructor(
    home: string,
    java: string,
    [coordinatorPort = 0, ...ports]: readonly number[],
    objects: ObjectStore | undefined,
  ) {
    this.#home = home;
    this.#java = java;
    this.lake = join(home, 'lake');
    this.port = coordinatorPort;
    this.url = `http://127.0.0.1:${coordinatorPort}`;
    this.#coordinator = new TrinoNode(home, 'coordinator', coordinatorPort, 1000);
    this.#workers = ports.map((port, index) => new TrinoNode(home, `worker${index + 1}`, port, 1000));
    mkdirSync(this.lake);
    mkdirSync(join(home, 'plugins'));
    // Further plugins of the server would only take time to load.
    const source = join(folders().trino, `trino-server-core-${trino.version}`, 'plugin');
    for (const name of readdirSync(source).filter((entry) => plugins.includes(entry)))
      symlinkSync(join(source, name), join(home, 'plugins', name));
    for (const node of this.#nodes) node.configure(this.port, this.lake, objects);
    process.once('exit', this.#remove);
  }

  async start(): Promise<void> {
    for (const node of this.#nodes) node.start(this.#java);
    await this.#untilActive();
  }

  run(statement: string): Promise<readonly (readonly unknown[])[]> {
    return trinoRows(this.url, statement);
  }

  async activeNodes(): Promise<number> {
    const [row] = await this.run("select count(*) from system.runtime.nodes where state = 'active'");
    return Number(row?.[0]);
  }

  async killWorker(index: number): Promise<void> {
    await this.#workers[index]?.end();
  }

  async startWorker(index: number): Promise<void> {
    this.#workers[index]?.start(this.#java);
    await this.#untilActive();
  }

  async restartCoordinator(): Promise<void> {
    await this.#coordinator.end();
    this.#coordinator.start(this.#java);
    await this.#untilActive();
  }

  suspendCoordinator(): void {
    this.#coordinator.send('SIGSTOP');
  }

  resumeCoordinator(): void {
    this.#coordinator.send('SIGCONT');
  }

  async stop(): Promise<void> {
    process.off('exit', this.#remove);
    await Promise.all(this.#nodes.map((node) => node.end()));
    rmSync(this.#home, { recursive: true, force: true });
  }

  get #nodes(): readonly TrinoNode[] {
    return [this.#coordinator, ...this.#workers];
  }

  /** Waits until all running nodes are active. @throws Error with the output of the nodes */
  async #untilActive(): Promise<void> {
    const clock = awakeClock();
    const running = this.#nodes.filter((node) => !node.hasExited);
    while (clock.passedMs() < readyLimitMs && !running.some((node) => node.hasExited)) {
      const count = await this.activeNodes().catch(() => 0);
      if (count >= running.length) return clock.stop();
      await sleep(200);
    }
    clock.stop();
    throw new Error(`Trino did not start:\n${this.#nodes.map(({ output }) => output).join('\n')}`);
  }
}

/**
 * Starts a coordinator and workers with fresh data, with a catalog `objects` if there is an object store. They are killed and their data removed when this process exits.
 *
 * @throws Error in the words of `haveTrino`, or with the output of the nodes
 */
export async function startTrino({
  workers = 2,
  objects,
}: { readonly workers?: number; readonly objects?: ObjectStore } = {}): Promise<Trino> {
  const java = javaHome();
  if (haveTrino() !== undefined || java === undefined) throw new Error(haveTrino());
  const ports: number[] = [];
  while (ports.length <= workers) {
    const port = await freePort();
    if (!ports.includes(port)) ports.push(port);
  }
  const cluster = new Cluster(mkdtempSync(join(tmpdir(), 'inlay-trino-')), java, ports, objects);
  await cluster.start();
  return cluster;
}
