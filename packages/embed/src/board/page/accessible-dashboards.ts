import { createClient } from '@inlay/client';
import { filledText } from '@inlay/contract';
import type { Transport } from '@inlay/client/transport';

export interface AccessibleDashboard {
  readonly id: string;
  readonly slug: string | null;
  /** Name of the dashboard by language. */
  readonly name: Readonly<Record<string, string>>;
}

/** Returns the dashboards that the token can read, in the order of their ids. Raises Failure. */
export async function dashboardsFor(transport: Transport): Promise<readonly AccessibleDashboard[]> {
  const dashboards: AccessibleDashboard[] = [];
  const find = { where: { type: 'dashboard' }, attributes: ['id', 'slug', 'name'] };
  for await (const { id, slug, name } of createClient(transport).all('securable', find))
    dashboards.push({ id, slug: filledText(slug), name: name ?? {} });
  return dashboards;
}
