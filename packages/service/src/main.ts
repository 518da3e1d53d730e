import type { Host } from './cli/host.ts';
import { runCommand } from './cli/run.ts';

const host: Host = {
  env: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
  stopSignal: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
    }),
  onDefect: (report) => {
    process.on('unhandledRejection', report);
  },
};

process.exit(await runCommand(process.argv.slice(2), host));
