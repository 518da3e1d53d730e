import { any, loggedIn, token } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';
import { filled } from './parts/filled.ts';
import { checkDatasetIds, datasetsIn, maxDatasets } from './parts/data/dataset-list.ts';

export const iqformula = define({
  name: 'iqformula',
  description:
    'Writes a formula that computes what a text says, over the columns of one dataset. It is checked, and returned, not stored. An organization owner has to enable AI charts first.',
  fields: {
    prompt: field.text('What the formula computes, such as "profit divided by revenue".', {
      required: true,
      accept: ['create'],
      maxLength: 4096,
      check: filled,
    }),
    dataset_ids: field.list(
      'The datasets of which one has the columns; the caller needs *use* on them. Without it, those that the caller may use.',
      {
        accept: ['create'],
        to: 'securable',
        targetOf: 'dataset',
        right: 'use',
        references: datasetsIn,
        check: checkDatasetIds,
        shape: { items: { type: 'string', format: 'uuid' }, maxItems: maxDatasets },
      },
    ),
  },
  // The `right` above requires *use* on the datasets, which embed tokens may also have.
  roles: { create: any(loggedIn, token('embed')) },
  features: [{ feature: 'ai_questions', on: ['create'] }],
  served: {
    create: {
      answers: {
        title: 'WrittenFormula',
        type: 'object',
        properties: {
          type: { const: 'expression' },
          formula: { type: 'string', description: 'The formula, with ids of columns in braces.' },
        },
        required: ['type', 'formula'],
      },
    },
  },
  example: { prompt: 'profit divided by revenue', dataset_ids: ['01890a5d-ac96-774b-bcce-b302099a8057'] },
});
