import type { Order, ScoredHypothesis } from '../plan.ts';
import type { QuestionReading } from '../read/reading.ts';

const quantityWords =
  /(?:^| )(?:y|y axis|vertical|total number|number|count|counts|how many|total|sum|amount|average|avg|mean|maximum|max|maximal|minimum|min|minimal|frequency|value|values|quantity)(?: |$)/u;
const groupWords =
  /(?:^| )(?:x|x axis|horizontal|bars?|names?|labels?|categor(?:y|ies)|alphabetical(?:ly)?|alphabet|alphabetic|time|date|dates|chronological(?:ly)?)(?: |$)/u;

/**
 * Translates the requested order to the chosen chart: by its groups or by its quantity. Returns null if the question
 * requests no order.
 */
export function orderOf(reading: QuestionReading, hypothesis: ScoredHypothesis): Order | null {
  const { sort, limit, words } = reading;
  if (sort === null) return limit === null || limit.order === null ? null : { by: 'quantity', order: limit.order };
  const { order, target } = sort;
  const clause = words
    .slice(sort.taken.start, sort.taken.end)
    .map(({ text }) => text)
    .join(' ');
  if (target === null) return { by: groupWords.test(clause) ? 'group' : 'quantity', order };
  const text = words
    .slice(target.start, target.end)
    .map((word) => word.text)
    .join(' ');
  if (/^(?:the )?(?:y|y axis)$/u.test(text)) return { by: 'quantity', order };
  if (/^(?:the )?(?:x|x axis|bars?|names?)$/u.test(text)) return { by: 'group', order };
  const mentions = reading.mentions.filter(({ ordering }) => ordering);
  const group = hypothesis.x?.column ?? hypothesis.across?.column ?? null;
  const strength = (column: number | null): number =>
    column === null
      ? 0
      : Math.max(
          0,
          ...mentions.flatMap(({ options }) =>
            options.filter((option) => option.column === column).map((option) => option.strength),
          ),
        );
  const asQuantity = quantityWords.test(text);
  if (strength(hypothesis.y.column) > 0 && (asQuantity || strength(hypothesis.y.column) >= strength(group)))
    return { by: 'quantity', order };
  if (asQuantity && strength(group) < 1.25) return { by: 'quantity', order };
  if (strength(group) > 0) return { by: 'group', order };
  if (asQuantity) return { by: 'quantity', order };
  return { by: groupWords.test(text) ? 'group' : 'quantity', order };
}
