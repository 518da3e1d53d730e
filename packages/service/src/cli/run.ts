import { ConfigFault } from '../config-fault.ts';
import { nearest } from '../nearest.ts';
import { MigrationRefused } from '../store/migrate.ts';
import { StoreUnavailable } from '../store/store.ts';
import type { CliCommand, Host } from './host.ts';
import { commands } from './index.ts';

function help(host: Host): number {
  host.out('inlay: embedded analytics, self-hosted\n');
  for (const { usage, sentence } of commands) host.out(`  ${usage}\n      ${sentence}`);
  return 0;
}

function find(args: readonly string[]): { command: CliCommand; rest: readonly string[] } | undefined {
  const sorted = [...commands].sort((left, right) => right.words.length - left.words.length);
  for (const command of sorted) {
    const words = command.words.split(' ');
    if (words.every((word, index) => args[index] === word)) return { command, rest: args.slice(words.length) };
  }
  return undefined;
}

/** Runs the command that the arguments name and gives its exit code; what went wrong is said in one plain sentence. */
export async function runCommand(args: readonly string[], host: Host): Promise<number> {
  if (args.length === 0 || args.includes('--help') || args.includes('help')) return help(host);
  const found = find(args);
  if (found === undefined) {
    const near =
      nearest(
        args.slice(0, 2).join(' '),
        commands.map(({ words }) => words),
      ) ??
      nearest(
        args[0] ?? '',
        commands.map(({ words }) => words),
      );
    host.error(
      `inlay: no such command: ${args.join(' ')}${near === undefined ? '' : `; did you mean "${near}"?`} See: inlay --help`,
    );
    return 2;
  }
  try {
    return await found.command.run(found.rest, host);
  } catch (error) {
    if (error instanceof ConfigFault || error instanceof MigrationRefused) host.error(error.message);
    else if (error instanceof StoreUnavailable) host.error(`The store does not answer: ${error.message}`);
    else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      host.error(`The port is taken: ${error.message}. Stop what listens there, or set INLAY_PORT.`);
    } else host.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }
}
