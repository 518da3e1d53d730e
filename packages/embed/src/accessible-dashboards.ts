import type { AccessibleDashboard } from './board/page/accessible-dashboards.ts';
import type { Credential } from '@inlay/client/transport';
import { pageTransport } from './transport.ts';

/** Where and as whom a page asks without an element. */
export interface AccessOptions {
  /** Address of the service; the page's own where it is left out. */
  readonly apiHost?: string;
  readonly authKey?: string;
  readonly authToken?: string;
  /** Gives a `{key, token}` where there is none yet or the old one has ended. */
  readonly getToken?: () => Promise<Credential>;
}

/** The dashboards that a token may see: `id`, `slug`, and `name` as a text per language. Raises Failure. */
export async function accessibleDashboards({
  apiHost = location.origin,
  authKey = '',
  authToken = '',
  getToken,
}: AccessOptions): Promise<readonly AccessibleDashboard[]> {
  const { dashboardsFor } = await import('./board/page/accessible-dashboards.ts');
  const credential = authKey === '' || authToken === '' ? null : { key: authKey, token: authToken };
  return dashboardsFor(pageTransport({ apiHost, credential, getToken }));
}
