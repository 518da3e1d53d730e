import { isIP, type Socket } from 'node:net';
import { connect, rootCertificates, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { OutboundProblem, outboundProblem } from './problem.ts';

export interface SecureOptions {
  readonly deadlineMs: number;
  /** Additional certificate authorities, as PEM. */
  readonly ca?: string | undefined;
  /** If false, any certificate is accepted. */
  readonly verify?: boolean;
  readonly protocols?: readonly string[];
}

/** Returns TLS options that verify the certificate against a host name, whatever the connected address is. */
export function tlsOptions(
  host: string,
  { ca, verify = true }: Pick<SecureOptions, 'ca' | 'verify'>,
): ConnectionOptions {
  const bareHost = host.replace(/^\[(.*)\]$/u, '$1');
  return {
    host: bareHost,
    ...(isIP(bareHost) === 0 && { servername: bareHost }),
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    rejectUnauthorized: verify,
    minVersion: 'TLSv1.2',
  };
}

/**
 * Starts TLS on a connected socket. Raises OutboundProblem `tls`, `timeout`, `failed`; the socket is then destroyed.
 */
export function secured(socket: Socket, host: string, options: SecureOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const tls = connect({
      socket,
      ...tlsOptions(host, options),
      ...(options.protocols && { ALPNProtocols: [...options.protocols] }),
    });
    const timer = setTimeout(
      () => tls.destroy(new OutboundProblem('timeout', 'TLS was not set up in time.')),
      Math.max(1, options.deadlineMs),
    );
    const onError = (error: Error): void => {
      clearTimeout(timer);
      tls.on('error', () => undefined);
      socket.destroy();
      reject(outboundProblem(error));
    };
    tls.once('error', onError);
    tls.once('secureConnect', () => {
      clearTimeout(timer);
      tls.off('error', onError);
      resolve(tls);
    });
  });
}
