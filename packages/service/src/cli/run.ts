import { nearest } from '@inlay/contract';
import { ConfigFault } from '../config/fault.ts';
import { StoreRefused } from '../store/refused.ts';
import { OutcomeUnknown, StoreUnavailable } from '../store/store.ts';
import { CommandRefused, UsageFault } from './faults.ts';
import type { CliCommand, Host } from './host.ts';
import { commands } from './index.ts';
import { programVersion } from '../config/program-version.ts';

const exit = { done: 0, failed: 1, usage: 2 } as const;

function help(host: Host, shownCommands: readonly CliCommand[]): number {
  if (shownCommands.length > 1) host.out('inlay: embedded analytics, self-hosted\n');
  for (const { usage, description: sentence } of shownCommands) host.out(`  ${usage}\n      ${sentence}`);
  if (shownCommands.length > 1)
    host.out('\n  inlay --version\n\nSettings are INLAY_ variables: docs/reference/settings.md.');
  return exit.done;
}

function version(host: Host): number {
  host.out(programVersion());
  return exit.done;
}

function find(args: readonly string[]): { command: CliCommand; rest: readonly string[] } | undefined {
  const commandsByLength = commands.toSorted((left, right) => right.words.length - left.words.length);
  for (const command of commandsByLength) {
    const words = command.words.split(' ');
    if (words.every((word, index) => args[index] === word)) return { command, rest: args.slice(words.length) };
  }
  return undefined;
}

function refuseUnknown(args: readonly string[], host: Host): number {
  const commandNames = commands.map(({ words }) => words);
  const subcommands = commandNames.filter((commandName) => commandName.startsWith(`${args[0] ?? ''} `));
  const nearestName = nearest(args.slice(0, 2).join(' '), commandNames) ?? nearest(args[0] ?? '', commandNames);
  const suggestions =
    subcommands.length > 0 && args.length === 1 ? subcommands : nearestName === undefined ? [] : [nearestName];
  const suggestion = suggestions.length === 0 ? '.' : `; did you mean "${suggestions.join('" or "')}"?`;
  host.error(`inlay: there is no command "${args.slice(0, 2).join(' ')}"${suggestion} See: inlay --help`);
  return exit.usage;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Formats an error as a sentence that says what to do next. */
function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigFault || error instanceof CommandRefused) return message;
  if (error instanceof StoreRefused) return `Refused: ${message}.`;
  if (error instanceof StoreUnavailable)
    return `The store does not answer: ${message}. Run "inlay doctor" to find the cause.`;
  if (error instanceof OutcomeUnknown) {
    return `The connection to the store broke at the end (${message}). Check whether the command took effect before you run it again.`;
  }
  if (codeOf(error) === 'EADDRINUSE') {
    return `The port is in use: ${message}. Stop the program that uses it, or set INLAY_PORT.`;
  }
  // System errors: permission denied, disk full, no such folder.
  if (typeof codeOf(error) === 'string') return `${message}. Fix this and try again; "inlay doctor" may show more.`;
  return error instanceof Error ? (error.stack ?? message) : message;
}

/** Runs the command that the arguments name and returns its exit code. Prints an error as a single sentence. */
export async function runCommand(args: readonly string[], host: Host): Promise<number> {
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const match = find(args);
  if (args.length === 0 || args[0] === 'help') return help(host, commands);
  if (options.includes('--help') || options.includes('-h'))
    return help(host, match === undefined ? commands : [match.command]);
  if (args[0] === '--version') return version(host);
  if (match === undefined) return refuseUnknown(args, host);
  try {
    const run = await match.command.load();
    return await run(match.rest, host);
  } catch (error) {
    if (!(error instanceof UsageFault)) {
      host.error(sentenceOf(error));
      return exit.failed;
    }
    host.error(`inlay ${match.command.words}: ${error.message}. Usage: ${match.command.usage}`);
    return exit.usage;
  }
}
