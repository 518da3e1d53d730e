import { isList } from '@inlay/contract';
import { Cron } from 'croner';
import { securable } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { timeZone } from './parts/time-zone.ts';

const modifier = securable('modify', 'securable_id');

export const schedule = define({
  name: 'schedule',
  description: 'Times at which a securable is exported, and its recipients.',
  fields: {
    id,
    securable_id: field.reference('The dataset or dashboard.', {
      required: true,
      accept: ['create'],
      to: 'securable',
      onDelete: 'delete',
    }),
    name: field.text('Name.', { searched: true, maxLength: 1000 }),
    cron: field.text('When, as a cron expression of five fields.', {
      maxLength: 255,
      check: (value, at, fault) => {
        if (typeof value === 'string' && !isCron(value))
          fault(
            at,
            'must be a cron expression of five fields (minute, hour, day, month, weekday), such as "0 7 * * 1"',
          );
      },
    }),
    timezone_id: field.text('IANA time zone name.', { default: 'UTC', check: timeZone }),
    format: field.text('Format of the export.', { default: 'pdf', values: ['pdf', 'png', 'csv', 'xlsx'] }),
    recipients: field.list('E-mail addresses.', {
      default: [],
      shape: { items: { type: 'string' }, maxItems: 100 },
      check: (value, at, fault) => {
        if (!isList(value) || value.length > 100) return fault(at, 'must be a list of at most 100 addresses');
        value.forEach((entry, index) => {
          if (typeof entry !== 'string' || !/^[^\s@]{1,64}@[^\s@]{1,255}$/u.test(entry))
            fault(`${at}[${index}]`, 'must be an e-mail address');
        });
      },
    }),
    active: field.boolean('Whether it runs.'),
    organization_id: { ...organizationId, hidden: true },
    ...times,
  },
  roles: { create: modifier, get: modifier, update: modifier, delete: modifier },
  features: [{ feature: 'edit_full', on: ['create', 'update', 'delete', 'associate', 'dissociate'] }],
  rules: [
    {
      name: 'nothing-runs-schedules-yet',
      on: ['create', 'update'],
      description: 'Schedules do not run yet, so active schedules are refused.',
      run: async ({ sent }) => {
        if (sent['active'] === true) throw new Problem('schedule_unavailable');
        return undefined;
      },
    },
  ],
  associations: {
    Securable: {
      to: 'securable',
      relation: { kind: 'reference', field: 'securable_id', fixed: true },
      roleHere: modifier,
      roleThere: securable('modify'),
    },
  },
  example: {
    securable_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    name: 'Mondays',
    cron: '0 7 * * 1',
    recipients: ['ada@example.com'],
  },
});

function isCron(expression: string): boolean {
  if (expression.trim().split(/\s+/u).length !== 5) return false;
  try {
    const job = new Cron(expression, { paused: true });
    job.stop();
    return true;
  } catch {
    return false;
  }
}
