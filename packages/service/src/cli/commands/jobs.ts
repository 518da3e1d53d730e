import { inWords, parseObject } from '@inlay/contract';
import type { JobCommand } from '../../commands/job.ts';
import { sql } from '../../store/sql.ts';
import { readArguments } from '../arguments.ts';
import { CommandRefused } from '../faults.ts';
import type { Host } from '../host.ts';
import { settingsOf } from '../settings.ts';
import { doneOf, withStore } from '../with-store.ts';

const maxListed = 1000;

/** Lists the dead jobs, and counts the waiting and running ones. */
export async function jobsList(args: readonly string[], host: Host): Promise<number> {
  readArguments(args, {});
  return withStore(settingsOf(host), async (store) => {
    const counts = await store.rows(
      sql`select type, count(due_at) as waiting, count(lease) as running from job
        where lease is not null or due_at is not null group by type order by type`,
    );
    for (const { type, waiting, running } of counts)
      host.out(`${String(type)}: ${String(waiting)} waiting, ${String(running)} running`);
    const deadJobs = await store.rows(
      sql`select id, type, organization_id, attempts, error from job where lease is null and due_at is null
        order by id limit ${maxListed}`,
    );
    host.out(deadJobs.length === 0 ? 'No job has failed.' : 'Failed at every attempt:');
    for (const { id, type, organization_id: organization, attempts, error } of deadJobs) {
      const { code, message } = parseObject(String(error));
      host.out(`  ${String(id)}  (${String(type)}, organization ${String(organization ?? 'none')})`);
      host.out(`      ${inWords(code)} after ${String(attempts)} attempts: ${inWords(message)}`);
    }
    return 0;
  });
}

async function change(step: 'repeat' | 'drop', args: readonly string[], host: Host): Promise<number> {
  const { words } = readArguments(args, {}, ['ID']);
  const [id = ''] = words;
  const command: JobCommand = { kind: 'job', step, id };
  return withStore(settingsOf(host), async (store) => {
    if (doneOf(await store.write(command)).count === 0)
      throw new CommandRefused(`No failed job has the id ${id}; "inlay jobs" lists them.`);
    host.out(step === 'repeat' ? `${id} runs again as soon as an instance has a free slot.` : `${id} is dropped.`);
    return 0;
  });
}

export const jobsRepeat = (args: readonly string[], host: Host): Promise<number> => change('repeat', args, host);

export const jobsDrop = (args: readonly string[], host: Host): Promise<number> => change('drop', args, host);
