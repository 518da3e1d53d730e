import { isList, isUuid, uuidFault } from '@inlay/contract';
import { all, allRows, securable, unhidden } from '../declare/roles.ts';
import { field, readOnly } from '../declare/fields.ts';
import { define } from '../resource/define.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { checkFrequency, frequencyShape } from './parts/acceleration/frequency.ts';
import { accelerationRules } from './parts/acceleration/rules.ts';
import {
  newestTimesShape,
  rollupListShape,
  rollupProposalShape,
  stoppedRollupShape,
} from './parts/acceleration/rollup-shapes.ts';
import { loadTypes, maxRollups, refreshStates, storageStrategies } from './parts/acceleration/words.ts';

const modifier = securable('modify', 'securable_id');
const wholeRows = all(modifier, allRows('securable_id'), unhidden);
const ownerOfAllRows = all(securable('own', 'securable_id'), allRows('securable_id'), unhidden);
const columnOf = (sentence: string) =>
  field.uuid(sentence, {
    columns: (value, at) => (typeof value === 'string' ? [{ at, columnId: value, dataset: null }] : []),
  });

export const acceleration = define({
  name: 'acceleration',
  validates: true,
  description:
    'Keeps the rows of a remote dataset in the columnar engine and refreshes them. Queries read the copy once the first refresh has succeeded; until then, and whenever the copy cannot answer, they read the source.',
  fields: {
    id,
    securable_id: field.reference('The dataset. A dataset has at most one acceleration.', {
      required: true,
      accept: ['create'],
      to: 'securable',
      targetOf: 'dataset',
      onDelete: 'delete',
      unique: true,
      conflictCode: 'acceleration_exists',
    }),
    load_type: field.text(
      'What a refresh reads. `full`: all rows. `delta`: new and changed rows, after a first full refresh. `full-delta`: the same, with a full refresh every `full_load_every`.',
      { default: 'full', values: loadTypes },
    ),
    data_storage_strategy: field.text(
      'What a delta may find. `insert`: new rows, by `created_at_column_id`. `insert-update`: also changed rows, by key and `updated_at_column_id`. `insert-update-delete`: also rows with a value in `deleted_at_column_id`, which then count as deleted in every query of the dataset.',
      { default: 'insert', values: storageStrategies },
    ),
    primary_key_column_ids: field.list('One to three columns that together identify a row.', {
      default: [],
      shape: { items: { type: 'string', format: 'uuid' }, maxItems: 3 },
      check: (value, at, fault) => {
        if (!isList(value)) return;
        value.forEach((entry, index) => {
          if (typeof entry !== 'string' || !isUuid(entry)) fault(`${at}[${index}]`, uuidFault(entry));
        });
      },
      columns: (value, at) =>
        isList(value)
          ? value.flatMap((entry, index) =>
              typeof entry === 'string' ? [{ at: `${at}[${index}]`, columnId: entry, dataset: null }] : [],
            )
          : [],
    }),
    created_at_column_id: columnOf('The column with the time at which a row was created.'),
    updated_at_column_id: columnOf('The column with the time at which a row was last changed.'),
    deleted_at_column_id: columnOf('The column with the time at which a row was deleted; null in other rows.'),
    late_rows_seconds: field.number(
      'Seconds after their time within which rows may still appear at the source. `insert` reads rows only once they are this old; the other strategies read this much of the time before the last refresh again.',
      { default: 60, whole: true, minimum: 0, maximum: 604_800 },
    ),
    schedule: field.object('How often it is refreshed; null for refreshes on request only.', {
      shape: frequencyShape,
      check: checkFrequency,
    }),
    full_load_every: field.object('How often a `full-delta` acceleration reads all rows again.', {
      shape: frequencyShape,
      check: checkFrequency,
    }),
    rollup_ids: field.list(
      'Rollups that are switched on, at most 8: ids from `rollup_proposals` or `rollups`. A refresh starts that writes those which the copy does not have. An id that is left out is switched off at once; sending the list switches stopped rollups on again.',
      {
        default: [],
        shape: { items: { type: 'string' }, maxItems: maxRollups },
        shownTo: wholeRows,
      },
    ),
    refresh: field.boolean(
      'Sent as true: refreshes now. Sent as false: cancels the refresh that is in progress or requested. Null changes nothing.',
      { accept: ['update'], transient: true, default: null },
    ),
    webhook: field.boolean(
      'Sent as true: creates an address for refreshes, which the answer has once as `webhook_path`; the previous address ends. Sent as false: ends the address.',
      { transient: true, default: null },
    ),
    webhook_path: readOnly(
      field.text(
        'Path of the new address for refreshes, in the answer to the request that created it; null in all other answers, since it is stored hashed.',
      ),
    ),
    webhook_set_at: readOnly(field.timestamp('When the address for refreshes was created; null if there is none.')),
    webhook_hash: readOnly(field.text('Hash of the secret in the address for refreshes.', { hidden: true })),
    status: readOnly(
      field.text(
        '`pending`: no refresh has succeeded yet. `refreshing`: a refresh is in progress. `ready`: the last refresh succeeded. `failed`: the last refresh failed; an earlier copy stays in use.',
        { default: 'pending', column: true, values: refreshStates },
      ),
    ),
    data_as_of: readOnly(
      field.timestamp('The time up to which the copy has the rows of the source.', { column: true }),
    ),
    rows: readOnly(field.number('Number of rows of the copy.', { shownTo: wholeRows })),
    bytes: readOnly(field.number('Size of the copy on disk, in bytes.', { shownTo: wholeRows })),
    bytes_read: readOnly(
      field.number('Number of bytes that the refresh in progress has read; null if none is in progress.', {
        shownTo: wholeRows,
      }),
    ),
    hits: readOnly(field.number('Number of queries that the copy has answered.', { default: 0 })),
    rollups: readOnly(
      field.list('The rollups that the copy has, with their numbers of rows.', {
        default: [],
        shape: rollupListShape,
        shownTo: wholeRows,
      }),
    ),
    newest_times: readOnly(
      field.list(
        'The newest time in each column with times of the copy. A range that ends later contains all later rows.',
        {
          default: [],
          shape: newestTimesShape,
          shownTo: wholeRows,
        },
      ),
    ),
    rollup_hits: readOnly(field.number('Number of queries that read rollups of the copy.', { default: 0 })),
    rollup_proposals: readOnly(
      field.list(
        'Rollups that would answer recent queries, with the expected gain. They are not written until switched on.',
        {
          default: [],
          shape: rollupProposalShape,
          shownTo: wholeRows,
        },
      ),
    ),
    rollups_stopped: readOnly(
      field.list('Rollups that were switched off because an answer differed from that of the copy.', {
        default: [],
        shape: stoppedRollupShape,
        shownTo: wholeRows,
      }),
    ),
    last_refresh_at: readOnly(field.timestamp('When the last successful refresh started.')),
    last_full_at: readOnly(field.timestamp('When the last successful full refresh started.')),
    last_error: readOnly(
      field.object('Why the last refresh failed; null if it succeeded.', {
        shape: {
          title: 'AccelerationError',
          type: 'object',
          properties: { code: { type: 'string' }, message: { type: 'string' } },
          required: ['code', 'message'],
        },
        shownTo: wholeRows,
      }),
    ),
    doubled_keys: readOnly(
      field.list(
        'Up to three keys that several rows have, as lists of texts, if this is why the last refresh failed.',
        {
          default: [],
          shape: { items: { type: 'array', items: { type: ['string', 'null'] } }, maxItems: 3 },
          shownTo: ownerOfAllRows,
        },
      ),
    ),
    next_run_at: readOnly(
      field.timestamp('When it is refreshed next; null if no refresh is planned.', { column: true }),
    ),
    failures: readOnly(field.number('Failed refreshes since the last success.', { default: 0 })),
    cancelled_at: readOnly(field.timestamp('When a refresh was last cancelled.', { hidden: true })),
    copy_version: readOnly(field.text('Version of the rows in the columnar engine.', { hidden: true })),
    rollup_shapes: readOnly(field.text('Shapes of proposed and written rollups by id, as JSON.', { hidden: true })),
    copy_of: readOnly(field.text('Identifies what the copy was made of.', { hidden: true })),
    organization_id: { ...organizationId, hidden: true },
    ...times,
  },
  roles: { create: modifier, get: modifier, update: modifier, delete: modifier },
  rules: accelerationRules,
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
    load_type: 'full-delta',
    data_storage_strategy: 'insert',
    created_at_column_id: '01890a5d-ac96-774b-bcce-b302099a8058',
    schedule: { frequency_unit: 'hours', frequency_quantity: 1 },
    full_load_every: { frequency_unit: 'days', frequency_quantity: 1 },
  },
});
