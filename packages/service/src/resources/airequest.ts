import { all, operator, organization, suborganization } from '../access/roles.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../resource/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';

export const airequest = define({
  name: 'airequest',
  description: 'What was sent to the AI provider, letter by letter, kept before it was sent.',
  fields: {
    id,
    user_id: readOnly(field.uuid('Who asked; null for an embed token.')),
    dataset_id: readOnly(field.uuid('The dataset it was about.', { column: true })),
    address: readOnly(field.text('Where it was sent.')),
    model: readOnly(field.text('The model it was for.')),
    body: readOnly(field.text('Exactly what was sent, as JSON text.')),
    bytes: readOnly(field.number('Its size in bytes.')),
    hash: readOnly(field.text('Its SHA-256, in hex.')),
    outcome: readOnly(
      field.text('How it went; `sent` until that is known.', {
        default: 'sent',
        values: ['sent', 'used', 'unusable', 'refused', 'timeout', 'failed'],
      }),
    ),
    duration: readOnly(field.number('Milliseconds until it was answered.')),
    suborganization: readOnly(field.text('Where who asked stands inside the organization.', { column: true })),
    organization_id: organizationId,
    ...times,
  },
  roles: { create: operator, get: all(organization('owner'), suborganization), update: operator, delete: operator },
  example: { model: 'a-model', outcome: 'used' },
});
