import type { Command, WriteResult } from '../../commands/command.ts';
import { leaseEnded, leaseTaken } from '../../store/lease.ts';
import type { Transaction } from '../../store/store.ts';

/** Renews or ends the lease of an instance. */
export async function changeLease(
  transaction: Transaction,
  command: Command & { kind: 'lease' | 'lease end' },
): Promise<WriteResult> {
  const { name } = transaction.dialect;
  const count = await transaction.run(
    command.kind === 'lease' ? leaseTaken(name, command) : leaseEnded(name, command.id),
  );
  return { kind: 'done', count, id: null };
}
