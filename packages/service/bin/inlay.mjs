#!/usr/bin/env node
// Plain JavaScript, so that an older Node can say what it lacks, and so that the compile cache is on before the first
// TypeScript file: started a second time, nothing is stripped and the stripper is not even loaded.
import * as nodeModule from 'node:module';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Inlay needs Node 24; this is ${process.version}. "npm start" and "npx inlay" in this folder bring it along.\n`,
  );
  process.exit(1);
}
nodeModule.enableCompileCache();
const { program } = await import('../build.mjs');
await import(program().href);
