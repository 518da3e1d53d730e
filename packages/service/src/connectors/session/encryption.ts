import { isPublicUnicast } from '../../outbound/policy.ts';
import { SourceProblem } from '../problem.ts';
import type { TlsMode } from '../properties.ts';

export const noEncryption = 'The server offers no encryption. Set the property "ssl" to "disable" if that is intended.';

/** How a connection is encrypted. */
export type Encryption = 'verified' | 'unverified' | 'none';

/**
 * Returns how to encrypt an open connection. `auto` requires a verified certificate if the address is public. For a
 * private address, which only an operator can allow, `auto` accepts whatever the server offers. `isOffered` is false if
 * the server has refused TLS. Raises SourceProblem `tls`.
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
