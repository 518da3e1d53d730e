import { member, inLanguage } from '@inlay/contract';
import { filledIn, readMarkdown } from './content/markdown.ts';
import { alignOf } from './content/align.ts';
import type { ContentChart } from './frame/chart.ts';

/** A text that can include numbers from a query. */
export const chart: ContentChart = {
  kind: 'content',
  type: 'text',
  content: (item, frame, { formats }) => {
    const valueOf = (label: string): string | null => {
      const measure = frame?.measures.find((field) => field.label === label);
      return measure === undefined ? null : measure.text(frame?.rows[0]?.[measure.index]) || '–';
    };
    const source = inLanguage(member(item.options, 'text') ?? null, formats.locale);
    return { kind: 'text', blocks: filledIn(readMarkdown(source), valueOf), align: alignOf(item) };
  },
};
