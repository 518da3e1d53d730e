import type { AccessibleDashboard } from './board/page/accessible-dashboards.ts';
import type { Credential } from '@inlay/client/transport';
import { pageTransport } from './transport.ts';

/** Service and credential of a call that no element makes. */
export interface AccessOptions {
  /** Origin of the service; defaults to the origin of the page. */
  readonly apiHost?: string;
  readonly authKey?: string;
  readonly authToken?: string;
  /** Called for a new `{key, token}` if there is none or it has expired. */
  readonly getToken?: () => Promise<Credential>;
}

/** Returns the dashboards that a token can read: `id`, `slug`, and `name` by language. Raises Failure. */
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
