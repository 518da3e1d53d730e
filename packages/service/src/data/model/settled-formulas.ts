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

/** Applies `change` to all measures of a query, including those in conditions and sort keys. */
function withMeasures(query: Query, change: (measure: Measure) => Measure): Query {
  const condition = (part: Condition): Condition => {
    if (part.kind !== 'test') return { ...part, of: part.of.map(condition) };
    const measure = part.measure === null ? null : change(part.measure);
    return { ...part, measure, on: measure === null ? part.on : placeOf(measure, part.on) };
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

/** Returns the column reference of a condition or sort key after the dataset of its measure has been determined. */
const placeOf = <Ref extends ColumnRef>(measure: Measure, columnRef: Ref): Ref =>
  measure.kind === 'column' ? columnRef : { ...columnRef, datasetId: measure.datasetId ?? '' };

/**
 * Adds the missing dataset to each formula in queries: the dataset of the stored formula, or of the first column in the
 * text of the formula, if the caller may see that dataset; otherwise the first dataset that the query names. Returns
 * the same queries if no dataset is missing.
 */
export async function withFormulaDatasets(
  { reader, registry }: AppearanceContext,
  caller: Caller,
  queries: readonly Query[],
): Promise<readonly Query[]> {
  const looseMeasures = queries.flatMap(measuresOf).filter(isLoose);
  if (looseMeasures.length === 0) return queries;
  const datasetOf = await datasetsOfFormulas(reader, visibleTo(reader, registry, caller), looseMeasures.map(asFormula));
  return queries.map((query) => {
    const [first = null] = datasetsOf(query);
    return withMeasures(query, (measure) =>
      isLoose(measure) ? { ...measure, datasetId: datasetOf(asFormula(measure)) ?? first } : measure,
    );
  });
}
