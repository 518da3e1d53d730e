// Builds the program and the elements: always, or with --once only what the last build was not made of.
// `npm run build` starts it in a shell of its own: one that has started an older Node keeps that path.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Libraries ship other code for development, which is larger and writes warnings; tests run with NODE_ENV=test.
process.env.NODE_ENV = 'production';

const root = join(import.meta.dirname, '..');
const mark = join(root, 'packages/service/dist/built-from');

/** What a build is made of: the version, and the commit where this is a checkout. */
const current = () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  try {
    const git = { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] };
    return `${version} ${execFileSync('git', ['rev-parse', 'HEAD'], git).toString().trim()}`;
  } catch {
    return version;
  }
};

const isBuilt = () => existsSync(mark) && readFileSync(mark, 'utf8') === current();

if (!process.argv.includes('--once') || !isBuilt()) {
  const [{ buildElements }, { buildService }] = await Promise.all([
    import('../packages/embed/build.mjs'),
    import('../packages/service/build.mjs'),
  ]);
  await buildElements();
  await buildService();
  writeFileSync(mark, current());
}
