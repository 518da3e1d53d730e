import type { CliCommand } from './host.ts';
import { start } from './start.ts';

/** Every command of the command line. */
export const commands: readonly CliCommand[] = [start];
