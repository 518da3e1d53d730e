import type { Json } from '@inlay/contract';
import { linkOf, type Link } from '../../charts/frame/link.ts';
import type { Mark } from '../../charts/frame/mark.ts';

/**
 * Follows the link of a mark, unless the page handles the link (`tell` then returns false). Returns false if the mark
 * has no link.
 */
export function followMark(option: Json | undefined, mark: Mark, tell: (link: Link) => boolean): boolean {
  const link = linkOf(option, mark.cells);
  if (link === null) return false;
  if (!tell(link) || link.href === null) return true;
  if (link.isInPlace) location.assign(link.href);
  else window.open(link.href, '_blank', 'noopener,noreferrer');
  return true;
}
