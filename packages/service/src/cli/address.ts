import { apiVersion } from '@inlay/contract';
import type { Config } from '../config/config.ts';

/**
 * Returns the address at which the operator reaches the service, without a trailing slash. `port` is the listening
 * port.
 */
export function addressOf({ baseUrl, host }: Config, port: number): string {
  const hostname = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return baseUrl ?? `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

/** Returns an API call as a shell command. */
export const curlOf = (address: string, resource: string, body: object): string =>
  `curl -s ${address}/${apiVersion}/${resource} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
