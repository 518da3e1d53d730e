import { StaleCaller } from '../../callers/presumed.ts';
import type { Command, CommandKind, Commands, WriteResult } from '../../commands/command.ts';
import { Problem } from '../../problems/problem.ts';
import { performSso } from '../../sso/perform.ts';
import type { Outcome, Perform, Transaction } from '../../store/store.ts';
import type { WriteEnvironment } from '../../write/context.ts';
import { accelerationPerformers } from '../../write/accelerations.ts';
import { publicationPerformers } from '../../write/publications.ts';
import { performJob } from '../../write/jobs/perform.ts';
import { noteRequest } from '../../write/operator/airequest.ts';
import { keepElements } from '../../write/operator/elements.ts';
import { keepAnswer } from '../../idempotency/keep-answer.ts';
import { endLease, renewLease } from '../../write/operator/lease.ts';
import { openShare } from '../../write/operator/open-share.ts';
import { organizationPerformers } from '../../write/operator/organizations.ts';
import { repair } from '../../write/operator/repair.ts';
import { rotate } from '../../write/operator/rotate.ts';
import { sweep } from '../../write/operator/sweep.ts';
import { touch } from '../../write/operator/touch.ts';
import type { Performers } from '../../write/performers.ts';
import { storeRows } from '../../write/store-rows.ts';
import { NothingStored } from '../../write/strict.ts';
import { sourcePerformers } from '../../write/sync-metadata.ts';
import { write } from '../../write/write.ts';

const performers: Performers = {
  write,
  rows: storeRows,
  sso: performSso,
  share: openShare,
  answer: keepAnswer,
  airequest: noteRequest,
  ...sourcePerformers,
  ...organizationPerformers,
  lease: renewLease,
  'lease end': endLease,
  elements: keepElements,
  touch,
  repair,
  rotate,
  sweep,
  job: performJob,
  ...accelerationPerformers,
  ...publicationPerformers,
};

const performKind = <Kind extends CommandKind>(
  kind: Kind,
  environment: WriteEnvironment,
  transaction: Transaction,
  command: Commands[Kind],
): Promise<WriteResult> => performers[kind](environment, transaction, command);

/** True if a command only adds rows for a known caller, so that it can be planned before it is performed. */
export const isPlannable = (command: Command): boolean =>
  command.kind === 'write' &&
  command.input.kind === 'create' &&
  command.idempotency === null &&
  command.mode === undefined &&
  (command.presumed !== undefined || command.caller === null);

/**
 * Creates a function that performs each command in a transaction of its own. A Problem rolls the transaction back and
 * becomes the answer.
 */
export const createPerform =
  (environment: WriteEnvironment): Perform<Command, WriteResult> =>
  async (transaction, command): Promise<Outcome<WriteResult>> => {
    try {
      return { commit: true, answer: await performKind(command.kind, environment, transaction, command) };
    } catch (error) {
      if (error instanceof NothingStored) return { commit: false, answer: { kind: 'validated' } };
      if (error instanceof Problem) return { commit: false, answer: { kind: 'problem', problem: error.data } };
      // Returns an answer instead of raising the error, because errors lose their class when they cross threads.
      if (error instanceof StaleCaller) return { commit: false, answer: { kind: 'misjudged' } };
      throw error;
    }
  };
