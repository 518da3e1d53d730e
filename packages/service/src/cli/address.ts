import { apiVersion } from '@inlay/contract';
import type { Config } from '../config/config.ts';

/** Where whoever runs the service reaches it, without a slash at the end; `port`: the one it listens on. */
export function addressOf({ baseUrl, host }: Config, port: number): string {
  const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return baseUrl ?? `http://${named.includes(':') ? `[${named}]` : named}:${port}`;
}

/** A call of the API as people paste it into a shell. */
export const curlOf = (address: string, resource: string, body: object): string =>
  `curl -s ${address}/${apiVersion}/${resource} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
