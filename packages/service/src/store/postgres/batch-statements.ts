import type { Plan } from './plan.ts';
import type { Value } from '../sql.ts';

/** So many plans are one statement: few sizes, since each is prepared on every connection. */
const sizes = [16, 8, 4, 2, 1];

/** One statement of a batch, and whose plans it carries out. */
export interface BatchStatement<Holder> {
  readonly text: string;
  readonly values: readonly Value[];
  readonly of: readonly Holder[];
}

const isSame = (one: readonly Value[], other: readonly Value[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index]);

/** The statements that carry out plans in their order; neighbours that differ only in what they add share one. */
export function statementsOf<Holder extends { readonly plan: Plan<unknown> }>(
  batch: readonly Holder[],
): readonly BatchStatement<Holder>[] {
  const statements: BatchStatement<Holder>[] = [];
  let rest = batch;
  for (let first = rest[0]; first !== undefined; first = rest[0]) {
    const { shape, expected } = first.plan;
    const other = rest.findIndex(({ plan }) => plan.shape !== shape || !isSame(plan.expected, expected));
    const alike = other < 0 ? rest.length : other;
    const of = rest.slice(0, sizes.find((size) => size <= alike) ?? 1);
    const values = shape.values(
      expected,
      of.map(({ plan }) => plan.added),
    );
    statements.push({ text: shape.text(of.length), values, of });
    rest = rest.slice(of.length);
  }
  return statements;
}
