import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migrate.ts';
import { tableStatements } from './record-table.ts';

const columns = 'job (id, type, organization_id, subject, payload, priority, due_at, attempts, created_at)';
const clock: Readonly<Record<Dialect['name'], string>> = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgres: `to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};
const jobId = (row: string): string => `'refresh ' || ${row}.id`;
/** If the job is running, it keeps its number of attempts and runs again at the new due time. */
const addJob = (now: string): string =>
  `insert into ${columns}
    select ${jobId('new')}, 'refresh', new.organization_id, new.id, '{}', 0, new.next_run_at, 0, ${now}
      where new.next_run_at is not null
    on conflict (id) do update
      set due_at = excluded.due_at, attempts = case when job.lease is null then 0 else job.attempts end;`;
const dropJob = (row: string): string => `delete from job where id = ${jobId(row)};`;
/** Deletes the copy. */
const addDrop = (now: string): string =>
  `insert into ${columns} values ('drop copy ' || old.id, 'drop copy', old.organization_id, old.id, '{}', 0, ${now}, 0, ${now})
    on conflict do nothing;`;

/** Triggers that add and remove jobs when the next refresh of an acceleration changes, and when one is cancelled. */
const sqliteTriggers = [
  `create trigger acceleration__job_insert after insert on acceleration begin ${addJob(clock.sqlite)} end`,
  `create trigger acceleration__job_update after update of next_run_at, cancelled_at on acceleration
    when new.next_run_at is not old.next_run_at or new.cancelled_at is not old.cancelled_at begin
    delete from job where id = ${jobId('old')}
      and (new.cancelled_at is not old.cancelled_at or (new.next_run_at is null and lease is null));
    ${addJob(clock.sqlite)} end`,
  `create trigger acceleration__job_delete after delete on acceleration begin
    ${dropJob('old')} ${addDrop(clock.sqlite)} end`,
];

const postgresTriggers = [
  `create function plan_refresh() returns trigger language plpgsql as $plan$ begin
    if tg_op = 'DELETE' then ${dropJob('old')} ${addDrop(clock.postgres)}
    else
      if tg_op = 'UPDATE' and (new.cancelled_at is distinct from old.cancelled_at) then ${dropJob('old')}
      elsif new.next_run_at is null then delete from job where id = ${jobId('new')} and lease is null;
      end if;
      if tg_op = 'INSERT' or new.next_run_at is distinct from old.next_run_at or new.cancelled_at is distinct from old.cancelled_at then
        ${addJob(clock.postgres)}
      end if;
    end if;
    return null;
  end $plan$`,
  `create trigger acceleration__job after insert or update of next_run_at, cancelled_at or delete on acceleration
    for each row execute function plan_refresh()`,
];

/** Adds accelerations: copies of remote datasets in the columnar engine. */
export const accelerations: Migration = {
  id: 22,
  name: 'accelerations',
  addsOnly: true,
  statements: (dialect) => [
    ...tableStatements(dialect, 'acceleration', {
      columns: {
        securable_id: 'text',
        status: 'text',
        data_as_of: 'text',
        next_run_at: 'text',
        cancelled_at: 'text',
        copy_version: 'text',
        copy_of: 'text',
      },
      unique: ['securable_id'],
    }),
    ...(dialect === 'sqlite' ? sqliteTriggers : postgresTriggers),
  ],
};
