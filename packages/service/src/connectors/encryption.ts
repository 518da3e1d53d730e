import { isPublicUnicast } from '../outbound/policy.ts';
import { SourceProblem } from './problem.ts';
import type { TlsMode } from './properties.ts';

export const noEncryption = 'The server offers no encryption. Set the property "ssl" to "disable" if that is intended.';

/** How a connection is encrypted. */
export type Encryption = 'verified' | 'unverified' | 'none';

/**
 * The encryption of a connection that stands: what the mode says; for `auto` a checked certificate towards public
 * addresses, and towards private ones, which only an operator allows, whatever the server offers. `offered` is false once
 * the server has said that it has none. Raises SourceProblem `tls`.
 */
export function encryptionOf(mode: TlsMode, address: string | undefined, offered: boolean): Encryption {
  if (mode === 'disable') return 'none';
  if (mode === 'verify-full') return 'verified';
  if (mode === 'require') return 'unverified';
  if (address === undefined || isPublicUnicast(address)) {
    if (offered) return 'verified';
    throw new SourceProblem('tls', noEncryption);
  }
  return offered ? 'unverified' : 'none';
}
