import type { CaseGroup, OptionCase, PicturedTable } from './case.ts';
import { axisCases } from './cases/axes.ts';
import { colourCases } from './cases/colours.ts';
import { contentCases } from './cases/content.ts';
import { markCases, referenceCases } from './cases/marks.ts';
import { numberCases } from './cases/numbers.ts';
import { orderCases } from './cases/order.ts';
import { valueCases, writingCases } from './cases/slots.ts';
import { tableCases } from './cases/tables.ts';

/** The pictures of the reference, by the table whose members they show. */
export const caseGroups: Readonly<Record<PicturedTable, readonly CaseGroup[]>> = {
  entries: [writingCases, valueCases],
  options: [orderCases, colourCases, axisCases, markCases, referenceCases, numberCases, tableCases, contentCases],
};

/** Every case, of both tables. */
export const allCases: readonly OptionCase[] = [...caseGroups.entries, ...caseGroups.options].flatMap(
  ({ cases }) => cases,
);
