#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import type { Host } from './cli/host.ts';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Inlay needs Node 24; this is ${process.version}. "npm start" and "npx inlay" bring it along.\n`,
  );
  process.exit(1);
}

// Compiled modules are kept between starts, which halves the time to the first answer.
enableCompileCache();

const host: Host = {
  env: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
  stopSignal: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
    }),
  onDefect: (told) => {
    process.on('unhandledRejection', told);
  },
};

const { runCommand } = await import('./cli/run.ts');
process.exit(await runCommand(process.argv.slice(2), host));
