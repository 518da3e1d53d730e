#!/usr/bin/env node
// Plain JavaScript, so that an older Node can say what it lacks. Runs what `npm run build` made, else the sources.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Inlay needs Node 24; this is ${process.version}. "npm start" and "npx inlay" in this folder bring it along.\n`,
  );
  process.exit(1);
}
nodeModule.enableCompileCache();
const built = new URL('../dist/main.mjs', import.meta.url);
await import((existsSync(built) ? built : new URL('../src/main.ts', import.meta.url)).href);
