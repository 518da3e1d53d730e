import { isPublicUnicast } from '../outbound/policy.ts';
import { SourceProblem } from './problem.ts';
import type { TlsMode } from './properties.ts';

export const noEncryption = 'The server offers no encryption. Set the property "ssl" to "disable" if that is intended.';

/** How a connection is encrypted. */
export type Encryption = 'verified' | 'unverified' | 'none';

/**
 * Returns the encryption of an open connection. `auto` requires a verified certificate for public addresses; for
 * private ones, which only an operator can allow, it accepts whatever the server offers. `offered` is false if the
 * server has refused TLS. Raises SourceProblem `tls`.
 */
export function encryptionOf(mode: TlsMode, address: string | undefined, isOffered: boolean): Encryption {
  if (mode === 'disable') return 'none';
  if (mode === 'verify-full') return 'verified';
  if (mode === 'require') return 'unverified';
  if (address === undefined || isPublicUnicast(address)) {
    if (isOffered) return 'verified';
    throw new SourceProblem('tls', noEncryption);
  }
  return isOffered ? 'unverified' : 'none';
}
