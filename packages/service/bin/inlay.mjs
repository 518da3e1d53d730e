#!/usr/bin/env node
// Plain JavaScript, so that an older Node can say what it lacks. Runs what `npm run build` made, else the sources.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { setFlagsFromString } from 'node:v8';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Inlay needs Node 24; this is ${process.version}. "npm start" and "npx inlay" in this folder bring it along.\n`,
  );
  process.exit(1);
}
/** What V8 is told before the program is loaded, each with what it brings (docs/decisions/0018-how-node-is-started.md). */
const v8Settings = [
  // Young objects are collected by the thread that answers, without waking helpers: a third less processor time a get.
  '--no-parallel-scavenge',
  // Objects of a burst of requests are not taken for ones that live long: the slowest hundredth of gets take half the time.
  '--no-allocation-site-pretenuring',
];
for (const flag of v8Settings) setFlagsFromString(flag);
nodeModule.enableCompileCache();
const built = new URL('../dist/main.mjs', import.meta.url);
await import((existsSync(built) ? built : new URL('../src/main.ts', import.meta.url)).href);
