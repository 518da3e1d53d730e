import type { Credential, Transport } from '@inlay/client/transport';
import { pageTransport } from '@inlay/embed/transport';

/** How a page reaches the service: the same settings as those of the elements. */
export interface PageAccess {
  /** Base URL of the service; empty for the origin of the page. */
  readonly apiHost: string;
  readonly authKey: string;
  readonly authToken: string;
  /** Called for a new `{key, token}` if there is none yet or the old one has expired; null if there is no such function. */
  readonly getToken: (() => Promise<Credential>) | null;
}

/** Returns a transport with the credential of a page. */
export const transportOf = ({ apiHost, authKey: key, authToken: token, getToken }: PageAccess): Transport =>
  pageTransport({
    apiHost: apiHost === '' ? location.origin : apiHost,
    credential: key === '' || token === '' ? null : { key, token },
    getToken,
  });
