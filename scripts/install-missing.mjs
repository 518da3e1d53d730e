// Plain JavaScript for Node 20: it runs before Node 24 has been installed, as `prestart` and `pretest`.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const oldestMajor = 24;

/**
 * Whether `npm ci` must run, by comparing the lockfile with npm's own record of what is in node_modules.
 *
 * @param lock text of package-lock.json
 * @param installed text of node_modules/.package-lock.json, undefined when there is none
 * @param withDev whether development packages are needed too
 */
export const isStale = (lock, installed, withDev) => {
  if (installed === undefined) return true;
  const present = JSON.parse(installed).packages;
  return Object.entries(JSON.parse(lock).packages).some(([path, wanted]) => {
    if (path === '') return false;
    const found = present[path];
    if (found === undefined) return !(wanted.optional || wanted.devOptional || (wanted.dev && !withDev));
    return found.version !== wanted.version || found.integrity !== wanted.integrity;
  });
};

/** Which of the programs only some tests need are not there, each with its Debian package and what is lost without it. */
export const missingTestPrograms = (onPath, postgresDirectories) =>
  [
    {
      name: 'postgresql',
      found: onPath('initdb') || postgresDirectories.length > 0,
      tests: 'the tests of the PostgreSQL store',
    },
    { name: 'mariadb-server-core', found: onPath('mariadb-install-db'), tests: 'the tests on MariaDB' },
    { name: 'mariadb-client-core', found: onPath('my_print_defaults'), tests: 'the tests on MariaDB' },
    { name: 'strace', found: onPath('strace'), tests: 'the test that an answer waits for its fsync' },
    { name: 'chromium', found: onPath('chromium'), tests: 'the tests in a browser' },
    { name: 'faketime', found: onPath('faketime'), tests: 'the tests of clock jumps' },
    {
      name: 'nginx',
      found: onPath('nginx'),
      tests: 'the test that a rolling restart behind nginx fails no request',
    },
    { name: 'php-cli', found: onPath('php'), tests: 'the first program of a client in PHP' },
  ].filter((program) => !program.found);

const readIfPresent = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

const npmBringsNode = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

const installPackages = (withDev) => {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const installed = readIfPresent(join(root, 'node_modules/.package-lock.json'));
  const nodeIsThere = !npmBringsNode || existsSync(join(root, 'node_modules/.bin/node'));
  if (nodeIsThere && !isStale(lock, installed, withDev)) return;
  console.log('Installing the packages named in package-lock.json (about a minute) …');
  const npm = process.env['npm_execpath'];
  const args = ['ci', '--ignore-scripts', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('npm ci did not succeed; its message is above.');
};

const checkNode = () => {
  if (npmBringsNode || Number.parseInt(process.versions.node, 10) >= oldestMajor) return;
  throw new Error(
    `Inlay needs Node ${oldestMajor} or newer and this is Node ${process.versions.node}. ` +
      `On Linux x64 and arm64 npm installs the right one; on ${process.platform} ${process.arch} ` +
      'install it from https://nodejs.org and run the command again.',
  );
};

const onPath = (program) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

const postgresDirectories = () =>
  existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').filter((version) => existsSync(`/usr/lib/postgresql/${version}/bin/initdb`))
    : [];

const aptGet = (args, timeoutMs) =>
  spawnSync('apt-get', ['-qq', '-y', '-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=60', ...args], {
    stdio: 'ignore',
    timeout: timeoutMs,
    // RUNLEVEL=1 keeps Debian from starting the packaged database server: the tests start their own.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  }).status === 0;

const installTestPrograms = () => {
  const missing = missingTestPrograms(onPath, postgresDirectories());
  if (missing.length === 0) return;
  const names = missing.map((program) => program.name);
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version') && onPath('apt-get')) {
    console.log(`Installing ${names.join(', ')} for the tests …`);
    const install = () => aptGet(['install', '--no-install-recommends', ...names], 180_000);
    if (install() || (aptGet(['update'], 90_000) && install())) return;
  }
  for (const program of missingTestPrograms(onPath, postgresDirectories()))
    console.log(`${program.name} is not installed: ${program.tests} will say they are skipped.`);
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const forTests = process.argv.includes('--for-tests');
  try {
    checkNode();
    installPackages(forTests);
    if (forTests) installTestPrograms();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
