import { done, type WriteResult } from '../../commands/command.ts';
import type { LeaseCommand, LeaseEndCommand } from '../../commands/upkeep.ts';
import { leaseEnded, leaseTaken } from '../../store/lease.ts';
import type { Transaction } from '../../store/store.ts';
import type { WriteEnvironment } from '../context.ts';

/** Renews the lease of an instance. */
export const renewLease = async (
  _environment: WriteEnvironment,
  transaction: Transaction,
  command: LeaseCommand,
): Promise<WriteResult> => done(await transaction.run(leaseTaken(transaction.dialect.name, command)));

/** Ends the lease of an instance. */
export const endLease = async (
  _environment: WriteEnvironment,
  transaction: Transaction,
  { id }: LeaseEndCommand,
): Promise<WriteResult> => done(await transaction.run(leaseEnded(transaction.dialect.name, id)));
