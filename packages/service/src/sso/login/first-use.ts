import { changeRecord, type WriteContext } from '../../write/context.ts';
import { readConfiguration, type Configuration, type SecretOpener } from '../provider/configuration.ts';
import { SignOnFault } from '../fault.ts';

/**
 * Returns the configuration of a pending sign-in, locked until the commit. Returns null if it has changed since: a
 * changed configuration neither signs anybody in nor becomes verified.
 */
export async function unchanged(
  { transaction, environment }: WriteContext,
  id: string,
  fingerprint: string,
): Promise<Configuration | null> {
  const openSecret: SecretOpener = (place, sealed) => environment.seals.openText(place, sealed);
  try {
    const configuration = await readConfiguration(transaction, openSecret, id);
    const { forShare, forUpdate } = transaction.dialect;
    const lockedConfiguration = await readConfiguration(
      transaction,
      openSecret,
      id,
      configuration.isVerified ? forShare : forUpdate,
    );
    return lockedConfiguration.fingerprint === fingerprint ? lockedConfiguration : null;
  } catch (error) {
    if (error instanceof SignOnFault) return null;
    throw error;
  }
}

/**
 * Marks a configuration as verified at the first completed sign-in. The configuration must be locked and unchanged.
 * Returns true if this was the first sign-in. specification/sign-in#verification
 */
export async function verify(context: WriteContext, { id, isVerified }: Configuration): Promise<boolean> {
  if (isVerified) return false;
  await changeRecord(context, context.environment.registry.resource('ssoconfig'), id, { is_verified: true });
  return true;
}
