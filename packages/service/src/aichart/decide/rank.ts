import type { ProfiledColumn } from '../profiled-column.ts';

/** Columns of a dataset by role, as indexes. The column that an analyst would probably use comes first. */
export interface ColumnRanking {
  readonly amounts: readonly number[];
  readonly times: readonly number[];
  readonly categories: readonly number[];
}

const worth = (words: readonly string[], list: readonly RegExp[]): number => {
  const at = list.findIndex((pattern) => words.some((word) => pattern.test(word)));
  return at < 0 ? 0 : (list.length - at) / list.length;
};
const tellingWords: readonly RegExp[] = [
  /^(?:revenue|sales|omzet|umsatz|ventas|turnover|affaires|ca)$/u,
  /^(?:profit|margin|winst|gewinn|marge|beneficio|amount|bedrag|betrag|montant|importe)$/u,
  /^(?:cost|costs|spend|price|salary|total|value)$/u,
  /^(?:quantity|units|volume|aantal|menge|quantite|cantidad|count|conversions)$/u,
];
const dividing: readonly RegExp[] = [
  /^(?:category|categorie|categoria|kategorie|productgroep|produktgruppe|type|kind|department|team|channel)$/u,
  /^(?:region|regio|segment|status|priority|country|land|pays|pais|provincie|bundesland)$/u,
  /^(?:product|produit|producto|produkt|class|group|gender|sex|line|ward|device)$/u,
  /^(?:city|ville|ciudad|stad|stadt|state|location|customer|client|klant|kunde)$/u,
];
const dating: readonly RegExp[] = [
  /^(?:order|created|start|invoice|sale|purchase|transaction|timestamp|date|datum|fecha|adm|hire)$/u,
];

function amountWorth(column: ProfiledColumn, index: number): number {
  return (
    worth(column.nameWords, tellingWords) * 4 +
    (column.subtype === 'currency' ? 1.5 : 0) +
    (column.additive ? 1 : 0) -
    index / 50
  );
}

function categoryWorth({ role, nameWords, cardinality }: ProfiledColumn, index: number): number {
  const base = { category: 2, place: 1.6, period: 1, title: 0.4, identifier: -2, text: -2, time: -9, amount: -9 }[role];
  const size = cardinality === null ? 0 : cardinality < 2 || cardinality > 200 ? -2 : cardinality <= 30 ? 1.5 : 0;
  return base + size + worth(nameWords, dividing) * 2 - index / 50;
}

/** Ranks the columns of a dataset for each role. The result is always the same for the same dataset. */
export function rank(columns: readonly ProfiledColumn[]): ColumnRanking {
  const rankedColumns = (
    fits: (column: ProfiledColumn) => boolean,
    value: (column: ProfiledColumn, index: number) => number,
  ): readonly number[] =>
    columns
      .flatMap((column, index) => (fits(column) ? [{ index, value: value(column, index) }] : []))
      .sort((left, right) => right.value - left.value || left.index - right.index)
      .map(({ index }) => index);
  return {
    amounts: rankedColumns(({ role, isFormula }) => role === 'amount' && isFormula !== true, amountWorth),
    times: rankedColumns(
      ({ role }) => role === 'time',
      (column, index) => worth(column.nameWords, dating) - index / 20,
    ),
    categories: rankedColumns(({ type }) => type === 'hierarchy', categoryWorth),
  };
}
