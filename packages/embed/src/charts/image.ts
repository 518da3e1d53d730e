import { isAddressTemplate, member, textOr, inLanguage } from '@inlay/contract';
import { alignOf } from './content/align.ts';
import type { ContentChart } from './frame/chart.ts';

/** True for `https:` addresses, absolute paths on the same site, and inline images. */
const isImage = (src: string): boolean =>
  /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/iu.test(src) ||
  (/^(?:https:\/\/|\/(?!\/))/iu.test(src) && isAddressTemplate(src));

export const chart: ContentChart = {
  kind: 'content',
  type: 'image',
  content: (item, _frame, { formats }) => {
    const src = textOr(member(item.options, 'src'), '').trim();
    const alt = inLanguage(member(item.options, 'alt') ?? null, formats.locale);
    if (!isImage(src)) return { kind: 'none' };
    return { kind: 'image', src, alt, isCover: member(item.options, 'fit') === 'cover', align: alignOf(item) };
  },
};
