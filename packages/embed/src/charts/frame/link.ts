import { filledAddress, filledText, isObject, member, type Json } from '@inlay/contract';
import type { Mark } from './mark.ts';
import type { Field, Frame } from './frame.ts';

/** Target of a link: an address, or a dashboard that the page shows. */
export interface Link {
  readonly href: string | null;
  readonly dashboardId: string | null;
  readonly dashboardSlug: string | null;
  /** True if the address replaces the current page; otherwise it opens in a new one. */
  readonly isInPlace: boolean;
  readonly mark: Mark;
}

/** True if a name in a template means a field. The name may be the field's label in any language, or its column id. */
function isCalled({ placed: { content }, label }: Field, name: string): boolean {
  if (label === name || content === null) return label === name;
  return content.columnId === name || (isObject(content.label) && Object.values(content.label).includes(name));
}

/** Returns the text of a cell in a URL. Null if the cell has no text, such as the "Others" group. */
function textIn({ field, cell }: Mark['cells'][number]): string | null {
  const literal = field.literal(cell);
  return literal === null || typeof literal === 'object' ? null : String(literal);
}

/** Returns the link of a slot entry or item, filled with the cells of a row; null if there is no link. */
export function linkOf(link: Json | undefined, cells: Mark['cells']): Link | null {
  if (!isObject(link)) return null;
  const textOf = (name: string): string | null => filledText(member(link, name));
  const template = textOf('href');
  const valueOf = (name: string): string | null => {
    const match = cells.find(({ field }) => isCalled(field, name));
    return match === undefined ? null : textIn(match);
  };
  const href = template === null ? null : filledAddress(template, valueOf);
  const [dashboardId, dashboardSlug] =
    template === null ? [textOf('dashboardId'), textOf('dashboardSlug')] : [null, null];
  if (href === null && dashboardId === null && dashboardSlug === null) return null;
  return {
    href,
    dashboardId,
    dashboardSlug,
    isInPlace: member(link, 'target') === '_self',
    mark: { cells },
  };
}

/**
 * Returns a function that returns the link of a cell; null if no cell has a link. The link of an entry applies to the
 * cells of that entry. The link of an item applies to the cells of all dimensions.
 */
export function linksOf({ item, fields }: Frame): ((field: Field, cells: Mark['cells']) => Link | null) | null {
  const ofItem = member(item.options, 'link');
  const hasLinks = ofItem !== undefined || fields.some(({ placed }) => (placed.content?.link ?? null) !== null);
  if (!hasLinks) return null;
  return (field, cells) => {
    const fieldLink = field.placed.content?.link ?? null;
    return linkOf(fieldLink ?? (field.kind === 'dimension' ? ofItem : null) ?? null, cells);
  };
}
