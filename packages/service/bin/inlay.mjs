#!/usr/bin/env node
// Plain JavaScript, so that an older Node can say what it lacks. Runs what `npm run build` made, else the sources.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Inlay needs Node 24; this is ${process.version}. "npm start" and "npx inlay" in this folder bring it along.\n`,
  );
  process.exit(1);
}

/** How a service is started, however it is: docs/decisions/0018-how-node-is-started.md has the measurements. */
const nodeOptions = [
  // Young objects are collected by the thread that answers, without waking helpers: a third less processor time a get.
  '--no-parallel-scavenge',
  // Objects of a burst of requests are not taken for ones that live long: the slowest hundredth of gets take half the time.
  '--no-allocation-site-pretenuring',
  // Room for young objects, and a heap that grows by half: the service stays below 300 MB.
  ...(process.env['INLAY_DATABASE_URL'] ? ['--max-semi-space-size=8'] : ['--max-semi-space-size=4']),
  '--initial-old-space-size=30',
  '--heap-growing-percent=50',
];
/** What native code gives back goes back to the system. */
const memory = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

const isStarted = process.execArgv.includes(nodeOptions[0]);
if (process.argv[2] === 'start' && !isStarted && process.platform !== 'win32' && process.execve !== undefined) {
  // It is experimental in name, and Node says so on standard error.
  process.removeAllListeners('warning');
  const program = fileURLToPath(import.meta.url);
  const args = [process.execPath, ...process.execArgv, ...nodeOptions, program, ...process.argv.slice(2)];
  process.execve(process.execPath, args, { ...memory, ...process.env });
}
nodeModule.enableCompileCache();
const built = new URL('../dist/main.mjs', import.meta.url);
await import((existsSync(built) ? built : new URL('../src/main.ts', import.meta.url)).href);
