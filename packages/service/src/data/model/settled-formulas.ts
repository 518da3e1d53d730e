import { datasetsOf, measuresOf, type ColumnRef, type Condition, type Measure, type Query } from '@inlay/query';
import type { Caller } from '../../access/caller.ts';
import type { AppearanceContext } from '../../dashboards/appearance/load-appearance.ts';
import { datasetsOfFormulas, visibleTo, type LooseFormula } from '../../dashboards/appearance/formula-datasets.ts';

type Loose = Exclude<Measure, { kind: 'column' | 'rows' }>;

const isLoose = (measure: Measure): measure is Loose =>
  (measure.kind === 'formula' || measure.kind === 'expression') && measure.datasetId === null;

const asFormula = (measure: Loose): LooseFormula => ({
  formulaId: measure.kind === 'formula' ? measure.formulaId : null,
  text: measure.kind === 'expression' ? measure.text : null,
});

/** Maps all measures of a query, including those in conditions and orders. */
function withMeasures(query: Query, change: (measure: Measure) => Measure): Query {
  const condition = (one: Condition): Condition => {
    if (one.kind !== 'test') return { ...one, of: one.of.map(condition) };
    const measure = one.measure === null ? null : change(one.measure);
    return { ...one, measure, on: measure === null ? one.on : placeOf(measure, one.on) };
  };
  return {
    ...query,
    measures: query.measures.map(change),
    having: query.having.map(condition),
    order: query.order.map((entry) => {
      const measure = entry.measure === null ? null : change(entry.measure);
      return { ...entry, measure, on: measure === null ? entry.on : placeOf(measure, entry.on) };
    }),
  };
}

/** Returns the column reference of a test or sort key after the dataset of its measure is known. */
const placeOf = <Ref extends ColumnRef>(measure: Measure, on: Ref): Ref =>
  measure.kind === 'column' ? on : { ...on, datasetId: measure.datasetId ?? '' };

/**
 * Adds the dataset to each formula in queries: that of the stored formula, of the first column in its text, or the
 * first one that the query names, if the caller may see it. Returns the same queries if nothing is missing.
 */
export async function withFormulaDatasets(
  { reader, registry }: AppearanceContext,
  caller: Caller,
  queries: readonly Query[],
): Promise<readonly Query[]> {
  const loose = queries.flatMap(measuresOf).filter(isLoose);
  if (loose.length === 0) return queries;
  const datasetOf = await datasetsOfFormulas(reader, visibleTo(reader, registry, caller), loose.map(asFormula));
  return queries.map((query) => {
    const [first = null] = datasetsOf(query);
    return withMeasures(query, (measure) =>
      isLoose(measure) ? { ...measure, datasetId: datasetOf(asFormula(measure)) ?? first } : measure,
    );
  });
}
