import { isList, dataItemTypes } from '@inlay/contract';
import { any, loggedIn, token } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';
import { chartAnswer } from './parts/data/chart-answer.ts';
import { withoutEffect } from './parts/without-effect.ts';

export const aichart = define({
  name: 'aichart',
  description:
    'Suggests a chart or filter for a dataset and a question. An organization owner has to enable AI charts first.',
  fields: {
    dataset_id: field.reference('The dataset; the caller needs *use* on it.', {
      required: true,
      accept: ['create'],
      to: 'securable',
      targetOf: 'dataset',
      right: 'use',
    }),
    type: field.text('The requested result.', {
      required: true,
      accept: ['create'],
      values: ['generate-chart', 'chart', 'generate-filter', 'filter', 'generate-example-questions', ...dataItemTypes],
    }),
    explain: field.boolean('Whether the response lists the rules that were applied.', { accept: ['create'] }),
    question: field.text('A question in plain words.', { accept: ['create'], maxLength: 4096 }),
    model_preference: field.text('The preferred model of the provider. Accepted, without effect.', {
      accept: ['create'],
      maxLength: 200,
      warns: withoutEffect,
    }),
    message_history: field.list('Earlier messages, oldest first.', {
      accept: ['create'],
      shape: { items: { type: 'string', maxLength: 4096 }, maxItems: 20 },
      check: (value, at, fault) => {
        if (!isList(value)) return;
        if (value.length > 20) fault(at, 'must have at most 20 messages');
        value.slice(0, 20).forEach((message, index) => {
          if (typeof message !== 'string' || message.length > 4096)
            fault(`${at}[${index}]`, 'must be a text of at most 4096 characters');
        });
      },
    }),
  },
  // The `right` above requires *use* on the dataset, which embed tokens may also have.
  roles: { create: any(loggedIn, token('embed')) },
  features: [{ feature: 'ai_questions', on: ['create'] }],
  served: { create: { answers: chartAnswer } },
  example: { dataset_id: '01890a5d-ac96-774b-bcce-b302099a8057', type: 'generate-chart', question: 'Revenue by month' },
});
