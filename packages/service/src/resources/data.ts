import { any, loggedIn, token } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { dataAnswer, dataFind } from './parts/data/shapes.ts';
import { checkPush, pushAnswer, pushFields } from './parts/data/push.ts';

const datasetId = '01890a5d-ac96-774b-bcce-b302099a8057';
const column = (id: string): { dataset_id: string; column_id: string } => ({ dataset_id: datasetId, column_id: id });

export const data = define({
  name: 'data',
  description:
    'Queries rows of datasets, or pushes rows into one. A query needs *use* on every dataset that it names, or, for the query of a stored item, *read* on the datasets and on its dashboard. A push needs *modify*.',
  bodyMb: 64,
  // Enough for 10,000 rows of 500 columns. Each row is an array, which counts as a value too.
  maxValues: 5_500_000,
  rowsIn: 'data',
  fields: pushFields,
  // The handler checks *use* or *read* on the datasets; embed tokens may have either.
  // specification/data-queries#stored-items
  roles: { create: loggedIn, get: any(loggedIn, token('embed')) },
  features: [
    { feature: 'view', on: ['get'], what: 'for queries of stored items', decided: true },
    {
      feature: 'drill',
      on: ['get'],
      what: 'for finer levels than those of the stored item, and for free queries',
      decided: true,
    },
    {
      feature: 'edit_filters',
      on: ['get'],
      what: 'for filters and parameters that the stored item does not have, and for free queries',
      decided: true,
    },
    { feature: 'formulas', on: ['get'], what: 'for free queries with the text of a formula', decided: true },
  ],
  served: {
    create: { check: checkPush, answers: pushAnswer },
    get: {
      find: dataFind,
      answers: dataAnswer,
      types: ['application/x-ndjson'],
      mayBeLater: true,
      example: {
        dimensions: [{ ...column('01890a5d-ac96-774b-bcce-b302099a8058'), level: 3 }],
        measures: [{ ...column('01890a5d-ac96-774b-bcce-b302099a8059'), aggregation: { type: 'sum' } }],
        limit: { by: 100 },
      },
    },
  },
  example: {
    type: 'create',
    data: [
      ['month', 'region', 'revenue'],
      ['2024-01-01', 'Europe', 1200.5],
    ],
    options: { header: true, name: { en: 'Revenue' } },
  },
});
