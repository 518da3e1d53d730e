import { member, of, words } from '../../members/member.ts';
import { exportFormats } from './export-formats.ts';

/** Members of a link of a cell or mark. */
export const linkMembers = of({
  href: member(
    'text',
    'An address such as `https://shop.example/orders/{Order id}`: names in braces are labels of entries of the item in any language, or ids of their columns, and stand for the encoded values of the row. `http:`, `https:`, `mailto:` or within the page; values stand in the path, query or fragment.',
  ),
  dashboardId: member('text', 'Id of a dashboard instead: the page is told by the event `linkfollowed`.'),
  dashboardSlug: member('text', 'The same by its slug.'),
  target: member('text', 'Where an address opens: in a new tab or in place of the page.', {
    values: ['_blank', '_self'],
    default: '_blank',
  }),
});

/** Members of items and views that configure the menu. */
export const menuMembers = {
  menu: member('boolean', 'Whether items have a menu: the table behind a chart, files, copying, full screen.', {
    default: true,
  }),
  exports: member(
    { each: 'text' },
    `Formats of the files that the menu offers, of ${exportFormats.map((name) => `\`${name}\``).join(', ')}; an empty list offers none. By default all. It hides entries of the menu; what a token may export does not depend on it.`,
  ),
};

/** Members of a menu entry that the page handles. */
export const actionMembers = of({
  id: member('text', 'What the event `actionchosen` calls it.', { required: true }),
  label: member(words, 'What the menu calls it: a text, or one per language.', { required: true }),
});
