/** A dashboard and one item of another place of the page that filter each other; every property and event has a type. */
import type { InlayDashboard, InlayEvents } from '@inlay/embed';
import '@inlay/embed/react';
import { useCallback, useRef, useState, type ReactElement } from 'react';

export interface SalesPageProps {
  readonly service: string;
  readonly getToken: NonNullable<InlayDashboard['getToken']>;
  /** Shows an order of the shop. */
  readonly showOrder: (id: string) => void;
  /** Shows another dashboard, narrowed to what was pressed. */
  readonly showDashboard: (slug: string, filters: InlayEvents['linkfollowed']['filters']) => void;
}

export function SalesPage({ service, getToken, showOrder, showDashboard }: SalesPageProps): ReactElement {
  const dashboard = useRef<InlayDashboard>(null);
  const [names, setNames] = useState<readonly string[]>([]);
  const list = useCallback(async () => {
    const found = (await dashboard.current?.accessibleDashboards()) ?? [];
    setNames(found.map(({ name, slug, id }) => name['en'] ?? slug ?? id));
  }, []);
  const follow = useCallback(
    (event: CustomEvent<InlayEvents['linkfollowed']>) => {
      event.preventDefault();
      const { dashboardSlug, filters, values } = event.detail;
      if (dashboardSlug === null) showOrder(values[0]?.text ?? '');
      else showDashboard(dashboardSlug, filters);
    },
    [showOrder, showDashboard],
  );
  return (
    <main>
      <button onClick={() => void list()}>Which dashboards?</button>
      <output>{names.join(', ')}</output>
      <inlay-item
        api-host={service}
        getToken={getToken}
        dashboard-slug="sales"
        item-id="regions"
        context-id="sales"
        onactionchosen={({ detail: { action } }) => console.log(action)}
      />
      <inlay-dashboard
        ref={dashboard}
        api-host={service}
        getToken={getToken}
        dashboard-slug="sales"
        context-id="sales"
        locale="fr"
        timezone-id="Europe/Brussels"
        theme={{ id: 'default_dark' }}
        patterns
        onloaded={({ detail: { items } }) => console.log(items)}
        onlinkfollowed={follow}
        onfilterschanged={({ detail: { filters } }) => console.log(filters.length)}
        onfailed={({ detail: { code, hint } }) => console.warn(code, hint)}
      />
    </main>
  );
}
