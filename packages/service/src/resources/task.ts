import { inWords, type Fault, type Json } from '@inlay/contract';
import { all, any, operator, organization, self, suborganization } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../declare/fields.ts';
import type { Rule } from '../resource/rules.ts';
import { id, organizationId, times } from '../resource/standard.ts';

const statuses = ['open', 'inprogress', 'completed', 'failed', 'cancelled'] as const;
const openStatuses: readonly Json[] = ['open', 'inprogress'];

const onlyCancelled = (value: Json, at: string, fault: Fault): void => {
  if (value !== 'cancelled') fault(at, `must be "cancelled", not "${inWords(value)}": the service sets the others`);
};

const cancel: Rule = {
  name: 'cancel',
  on: ['update'],
  description: 'A task that has ended cannot be cancelled. Its work stops within seconds, and it makes no file.',
  run: ({ before, sent, now }) => {
    if (sent['status'] === undefined) return Promise.resolve(undefined);
    if (!openStatuses.includes(before?.['status'] ?? null)) throw new Problem('task_finished');
    return Promise.resolve({ record: { completed_at: now } });
  },
};

const mayRead = any(self('user_id'), all(organization('owner'), suborganization));

export const task = define({
  name: 'task',
  description:
    'Work that goes on after its request was answered, such as an export that was sent with `Prefer: respond-async`. It is deleted with its file 7 days after it has ended.',
  fields: {
    id,
    type: readOnly(field.text('What was requested.', { column: true, values: ['export', 'data'] })),
    status: field.text('State; only `cancelled` can be set.', {
      accept: ['update'],
      column: true,
      default: 'open',
      values: statuses,
      check: onlyCancelled,
    }),
    entity_id: readOnly(field.uuid('The dashboard of an export; null for queries.', { column: true })),
    requested_at: readOnly(field.timestamp('When it was requested.', { generated: 'now' })),
    started_at: readOnly(field.timestamp('When the first attempt started.')),
    completed_at: readOnly(field.timestamp('When it ended, whatever its status.', { column: true })),
    progress: readOnly(field.number('Progress in percent.', { default: 0, minimum: 0, maximum: 100 })),
    attempts: readOnly(field.number('Attempts so far.', { default: 0, whole: true })),
    error: readOnly(
      field.object('Why it failed.', {
        shape: {
          title: 'TaskError',
          type: 'object',
          properties: { code: { type: 'string' }, message: { type: 'string' }, validation: { type: 'object' } },
          required: ['code', 'message'],
        },
      }),
    ),
    result: readOnly(
      field.object(
        'The file: the address from which its requester gets it with a GET request, and until when. It is refused once the requester no longer has the rights and row filters that it was made with.',
        {
          shape: {
            title: 'TaskResult',
            type: 'object',
            properties: { downloadUrl: { type: 'string' }, expiresAt: { type: 'string', format: 'date-time' } },
            required: ['downloadUrl', 'expiresAt'],
          },
        },
      ),
    ),
    user_id: readOnly(field.reference('Who requested it.', { generated: 'caller', to: 'user', onDelete: 'delete' })),
    suborganization: readOnly(
      field.text('Suborganization of the requester.', { column: true, generated: 'suborganization' }),
    ),
    request: readOnly(field.text('The request, as JSON.', { hidden: true })),
    access: readOnly(field.text('The rights and row filters that the file was made with, as JSON.', { hidden: true })),
    file: readOnly(field.text('Name of the file.', { hidden: true })),
    file_type: readOnly(field.text('Media type and name that the file is downloaded with, as JSON.', { hidden: true })),
    organization_id: organizationId,
    ...times,
  },
  roles: { create: operator, get: mayRead, update: mayRead, delete: operator },
  rules: [cancel],
  example: { type: 'export', status: 'open' },
});
