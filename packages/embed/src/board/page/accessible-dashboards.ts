import { filledText, isObject, listOr, member, objectOr, type Json } from '@inlay/contract';
import type { Transport } from '../../transport.ts';

/** A dashboard that a token may see. */
export interface AccessibleDashboard {
  readonly id: string;
  /** Null where it has none. */
  readonly slug: string | null;
  /** A text per language. */
  readonly name: Readonly<Record<string, string>>;
}

const atOnce = 1000;

function dashboardIn(row: Json): readonly AccessibleDashboard[] {
  const id = isObject(row) ? filledText(member(row, 'id')) : null;
  if (!isObject(row) || id === null) return [];
  const names = Object.entries(objectOr(member(row, 'name'))).flatMap(([language, text]) =>
    typeof text === 'string' ? [[language, text] as const] : [],
  );
  return [{ id, slug: filledText(member(row, 'slug')), name: Object.fromEntries(names) }];
}

/** The dashboards that a credential may see, in the order of their ids. Raises Failure. */
export async function dashboardsFor(transport: Transport): Promise<readonly AccessibleDashboard[]> {
  const found: AccessibleDashboard[] = [];
  for (;;) {
    const answer = await transport.call('securable', {
      action: 'get',
      find: {
        where: { type: 'dashboard' },
        attributes: ['id', 'slug', 'name'],
        order: [['id', 'asc']],
        limit: atOnce,
        offset: found.length,
        count: false,
      },
    });
    const rows = listOr(objectOr(answer)['rows']).flatMap(dashboardIn);
    found.push(...rows);
    if (rows.length < atOnce) return found;
  }
}
