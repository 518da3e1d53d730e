import { aggregationOf, type ItemQuery, type ResultSlot, inLanguage } from '@inlay/contract';
import { chartWordsFor } from '../../locale/chart-words.ts';
import type { Words } from '../../locale/words.ts';

/** Returns the label of a slot entry in the viewer's language, or the column id if there is no label. */
export const labelOf = ({ content }: ResultSlot, locale: string, { rows }: Pick<Words, 'rows'>): string =>
  content === null ? rows : inLanguage(content.label, locale) || content.columnId || '';

/** Returns the headings of the measures. Measures with the same name have their aggregation in the heading. */
export function measureHeadings(
  { measures }: Pick<ItemQuery, 'measures'>,
  locale: string,
  words: Pick<Words, 'rows'>,
): readonly string[] {
  const labels = measures.map((measure) => labelOf(measure, locale, words));
  const { aggregations } = chartWordsFor(locale);
  return measures.map(({ content }, index) => {
    const label = labels[index] ?? '';
    const isOnce = labels.filter((other) => other === label).length < 2;
    if (isOnce || content === null || content.columnId === null || content.aggregation === null) return label;
    const aggregation = aggregationOf(content);
    return `${label} (${aggregations[aggregation] ?? aggregation})`;
  });
}
