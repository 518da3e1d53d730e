import { changeRecord, type Performing } from '../../write/performing.ts';
import { readConfiguration, type Configuration, type Open } from '../provider/configuration.ts';
import { SignOnFault } from '../fault.ts';

/**
 * The configuration that a sign-in was made with, locked until the commit; null where it is another one by now. Nobody is
 * signed in, and nothing is verified, by a configuration that was changed on the way.
 */
export async function unchanged(
  { transaction, environment }: Performing,
  id: string,
  fingerprint: string,
): Promise<Configuration | null> {
  const open: Open = (place, sealed) => environment.seals.openText(place, sealed);
  try {
    const seen = await readConfiguration(transaction, open, id);
    const { forShare, forUpdate } = transaction.dialect;
    const locked = await readConfiguration(transaction, open, id, seen.isVerified ? forShare : forUpdate);
    return locked.fingerprint === fingerprint ? locked : null;
  } catch (error) {
    if (error instanceof SignOnFault) return null;
    throw error;
  }
}

/**
 * The first completed sign-in verifies its configuration. It is locked and the one
 * that was used. Answers whether this was the first.
 */
export async function verify(performed: Performing, { id, isVerified }: Configuration): Promise<boolean> {
  if (isVerified) return false;
  await changeRecord(performed, performed.environment.registry.resource('ssoconfig'), id, { is_verified: true });
  return true;
}
