import { createClient } from '@inlay/client';
import { filledText } from '@inlay/contract';
import type { Transport } from '@inlay/client/transport';

/** A dashboard that a token may see. */
export interface AccessibleDashboard {
  readonly id: string;
  /** Null where it has none. */
  readonly slug: string | null;
  /** A text per language. */
  readonly name: Readonly<Record<string, string>>;
}

/** The dashboards that a credential may see, in the order of their ids. Raises Failure. */
export async function dashboardsFor(transport: Transport): Promise<readonly AccessibleDashboard[]> {
  const dashboards: AccessibleDashboard[] = [];
  const find = { where: { type: 'dashboard' }, attributes: ['id', 'slug', 'name'] };
  for await (const { id, slug, name } of createClient(transport).all('securable', find))
    dashboards.push({ id, slug: filledText(slug), name: name ?? {} });
  return dashboards;
}
