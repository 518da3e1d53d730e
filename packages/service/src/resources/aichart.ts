import { isList } from '@inlay/contract';
import { any, loggedIn, token } from '../access/roles.ts';
import { Problem } from '../problems/problem.ts';
import { define } from '../resource/define.ts';
import { field } from '../resource/fields.ts';
import type { Rule } from '../resource/rules.ts';
import { chartAnswer } from './chart-answer.ts';

/** Charts and filters that can be suggested (API document: AI chart result). */
export const suggestedTypes = [
  ...['area-chart', 'bar-chart', 'bubble-chart', 'circle-pack-chart', 'column-chart', 'donut-chart', 'line-chart'],
  ...['evolution-number', 'pivot-table', 'regular-table', 'scatter-plot', 'sunburst-chart', 'treemap-chart'],
  ...['date-filter', 'dropdown-filter', 'slicer-filter', 'slider-filter'],
] as const;

const needsSwitch: Rule = {
  name: 'needs-the-ai-switch',
  on: ['create'],
  source: 'API document: rule 2; decision R7',
  sentence: 'Works only where an organization owner has switched AI on.',
  run: async ({ caller }, work) => {
    const organization = caller === null ? null : await work.record('organization', caller.organizationId);
    if (organization?.['flag_experimental_ai'] !== true) throw new Problem('ai_disabled');
    throw new Problem('aichart_unavailable', { retryAfterS: 3600 });
  },
};

export const aichart = define({
  name: 'aichart',
  source: 'API document: AI chart result; decision X5',
  sentence: 'A suggestion of a chart or filter for a dataset, guided by a question.',
  unstored: true,
  fields: {
    dataset_id: field.reference('The dataset; the caller needs *use* on it.', {
      required: true,
      accept: ['create'],
      to: 'securable',
      targetOf: 'dataset',
      right: 'use',
    }),
    type: field.text('What is wanted.', {
      required: true,
      accept: ['create'],
      words: ['generate-chart', 'chart', 'generate-filter', 'filter', 'generate-example-questions', ...suggestedTypes],
    }),
    question: field.text('A question in plain words.', { accept: ['create'], maxLength: 4096 }),
    message_history: field.list('Earlier messages, oldest first.', {
      accept: ['create'],
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
  // The caller needs *use* on the dataset, which `right` above asks for; an embed token may hold it (decision R2).
  roles: { create: any(loggedIn, token('embed')) },
  rules: [needsSwitch],
  answers: chartAnswer,
  example: { dataset_id: '01890a5d-ac96-774b-bcce-b302099a8057', type: 'generate-chart', question: 'Revenue by month' },
});
