import type { CommandKind, Commands, WriteResult } from '../commands/command.ts';
import type { Transaction } from '../store/store.ts';
import type { WriteEnvironment } from './context.ts';

/** Handlers of commands, each called in a transaction. */
export type Performers<Kind extends CommandKind = CommandKind> = {
  readonly [Each in Kind]: (
    environment: WriteEnvironment,
    transaction: Transaction,
    command: Commands[Each],
  ) => Promise<WriteResult>;
};
