import type { Link } from '../../charts/frame/link.ts';
import { apart, writeCondition } from '@inlay/contract';
import { conditionOfMark, valuesOf } from '../../marks.ts';
import type { InlayEvents } from '../../events.ts';

/** Event detail of a followed link. */
export function followed(id: string, { href, dashboardId, dashboardSlug, mark }: Link): InlayEvents['linkfollowed'] {
  const condition = conditionOfMark(mark);
  const filters = condition === null ? [] : apart(condition).map(writeCondition);
  return { id, href, dashboardId, dashboardSlug, values: valuesOf(mark), filters };
}
