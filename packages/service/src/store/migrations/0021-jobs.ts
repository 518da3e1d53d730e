import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migrate.ts';
import { tableStatements } from './record-table.ts';

const job = `create table job (
  id text primary key,
  type text not null,
  organization_id text,
  subject text,
  payload text not null,
  priority integer not null,
  due_at text,
  run_for text,
  attempts integer not null,
  lease text,
  leased_until text,
  error text,
  created_at text not null)`;

/** Waiting jobs have a due time, running jobs have a lease, and dead letters have neither. */
const indexes = [
  'create index job_due on job (due_at, type) where lease is null and due_at is not null',
  'create index job_leased on job (leased_until) where lease is not null',
  'create index job_dead on job (id) where lease is null and due_at is null',
];

/** For fairness between organizations: the time of each organization's last turn. */
const turns = 'create table job_turn (organization_id text primary key, turn integer not null)';

const columns = 'job (id, type, organization_id, subject, payload, priority, due_at, attempts, created_at)';
/** If the job is running, it keeps its number of attempts and runs again at the new due time. */
const onConflict = `on conflict (id) do update
  set due_at = excluded.due_at, attempts = case when job.lease is null then 0 else job.attempts end`;
const syncId = (row: string): string => `'metadata sync ' || ${row}.id`;
const addSync = (row: string, now: string): string =>
  `insert into ${columns}
    select ${syncId(row)}, 'metadata sync', ${row}.organization_id, ${row}.id, '{}', 0, ${row}.sync_due_at, 0, ${now}`;
const dropSync = (row: string): string => `delete from job where id = ${syncId(row)};`;
const openStates = "('open', 'inprogress')";
const addTask = (row: string): string =>
  `insert into ${columns}
    values (${row}.id, ${row}.type, ${row}.organization_id, ${row}.entity_id, ${row}.request, 1,
      ${row}.created_at, 0, ${row}.created_at) on conflict do nothing;`;
const dropTask = (row: string): string => `delete from job where id = ${row}.id;`;

const clock: Readonly<Record<Dialect['name'], string>> = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgres: `to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

/** Triggers that add and remove jobs when due times of datasets or states of tasks change. */
const sqliteTriggers = [
  `create trigger securable__sync_insert after insert on securable when new.sync_due_at is not null begin
    ${addSync('new', clock.sqlite)} where true ${onConflict}; end`,
  `create trigger securable__sync_update after update of sync_due_at on securable when new.sync_due_at is not null begin
    ${addSync('new', clock.sqlite)} where true ${onConflict}; end`,
  `create trigger securable__sync_stop after update of sync_due_at on securable when new.sync_due_at is null begin
    ${dropSync('new')} end`,
  `create trigger securable__sync_delete after delete on securable begin ${dropSync('old')} end`,
  `create trigger task__job_insert after insert on task when new.status in ${openStates} begin ${addTask('new')} end`,
  `create trigger task__job_cancel after update of status on task when new.status = 'cancelled' begin
    ${dropTask('new')} end`,
  `create trigger task__job_delete after delete on task begin ${dropTask('old')} end`,
];

const postgresTriggers = [
  `create function plan_sync() returns trigger language plpgsql as $plan$ begin
    if tg_op = 'DELETE' then ${dropSync('old')}
    elsif new.sync_due_at is not null then ${addSync('new', clock.postgres)} ${onConflict};
    elsif tg_op = 'UPDATE' then ${dropSync('new')}
    end if;
    return null;
  end $plan$`,
  `create trigger securable__sync after insert or update of sync_due_at or delete on securable
    for each row execute function plan_sync()`,
  `create function plan_task() returns trigger language plpgsql as $plan$ begin
    if tg_op = 'DELETE' then ${dropTask('old')}
    elsif tg_op = 'INSERT' then
      if new.status in ${openStates} then ${addTask('new')} end if;
    elsif new.status = 'cancelled' then ${dropTask('new')}
    end if;
    return null;
  end $plan$`,
  `create trigger task__job after insert or update of status or delete on task
    for each row execute function plan_task()`,
];

/** Adds the job queue, and tasks of users. */
export const jobs: Migration = {
  id: 21,
  name: 'jobs',
  addsOnly: true,
  statements: (dialect) => [
    job,
    ...indexes,
    turns,
    ...tableStatements(dialect, 'task', {
      columns: {
        type: 'text',
        status: 'text',
        entity_id: 'text',
        completed_at: 'text',
        user_id: 'text',
        suborganization: 'text',
        request: 'text',
        access: 'text',
        file: 'text',
        file_type: 'text',
      },
      index: ['user_id'],
      indexWhereSet: ['completed_at'],
    }),
    `create index task_open on task (organization_id) where status in ${openStates}`,
    `${addSync('s', clock[dialect])} from securable s where s.sync_due_at is not null`,
    ...(dialect === 'sqlite' ? sqliteTriggers : postgresTriggers),
  ],
};
