import { all, operator, organization, suborganization } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../declare/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';

export const airequest = define({
  name: 'airequest',
  description: 'The exact request to the AI provider, stored before it is sent.',
  fields: {
    id,
    user_id: readOnly(field.uuid('The person who sent the request; null for an embed token.')),
    dataset_id: readOnly(field.uuid('The dataset of the request.', { column: true })),
    address: readOnly(field.text('Where it was sent.')),
    model: readOnly(field.text('The requested model.')),
    body: readOnly(field.text('The exact request as JSON text.', { maxLength: 1_000_000 })),
    bytes: readOnly(field.number('Its size in bytes.')),
    hash: readOnly(field.text('SHA-256 of the request in hex.')),
    outcome: readOnly(
      field.text('Outcome; `sent` until it is known.', {
        default: 'sent',
        values: ['sent', 'used', 'unusable', 'refused', 'timeout', 'failed'],
      }),
    ),
    duration: readOnly(field.number('Milliseconds until the response.')),
    suborganization: readOnly(field.text('Suborganization of the caller.', { column: true })),
    organization_id: organizationId,
    ...times,
  },
  roles: { create: operator, get: all(organization('owner'), suborganization), update: operator, delete: operator },
  example: { model: 'a-model', outcome: 'used' },
});
