import { OutboundProblem, outboundProblem, type OutboundCause } from '../../outbound/index.ts';
import { SourceProblem, type SourceCause } from '../problem.ts';

const causes: Readonly<Record<OutboundCause, SourceCause>> = {
  url: 'settings',
  forbidden_address: 'forbidden_address',
  unknown_host: 'unknown_host',
  refused: 'refused',
  tls: 'tls',
  timeout: 'timeout',
  aborted: 'aborted',
  redirect: 'failed',
  size: 'limit',
  type: 'failed',
  failed: 'failed',
};

/** Messages for causes, in which the advice is more useful than a description of the failure. */
export const advice = {
  unknown_host: 'The host name is not known. Check its spelling, and whether this service can look it up.',
  refused: 'Nothing answers at this host and port. Check both, and that no firewall is between.',
  forbidden_address:
    'The host has an address that this service may not connect to. An operator can allow it, as in INLAY_ALLOW_HOSTS=127.0.0.1/32:5432.',
  tls: 'No trusted TLS connection could be made. Check the host name, or give the certificate of its authority in the property "ssl_ca".',
  timeout: 'The source did not answer in time. Check host and port, and that no firewall drops the connection.',
  failed: 'The source closed the connection.',
} as const satisfies Partial<Record<OutboundCause, string>>;

const messages: Partial<Record<OutboundCause, string>> = advice;

/** Translates an error of a socket, DNS lookup or TLS to a SourceProblem. */
export function networkFailure(error: unknown): SourceProblem {
  if (error instanceof SourceProblem) return error;
  const problem = error instanceof OutboundProblem ? error : outboundProblem(error);
  return new SourceProblem(causes[problem.cause], messages[problem.cause] ?? problem.message);
}
