import { done, type WriteResult } from '../commands/command.ts';
import { publishJob, type PublicationCommand, type PublicationCommands } from '../commands/publication.ts';
import { insert, list, sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import { beginWrite, type WriteContext, type WriteEnvironment } from './context.ts';
import { isHeld } from './jobs/held.ts';
import type { Performers } from './performers.ts';

type Step<Name extends PublicationCommand['step']> = PublicationCommand & { readonly step: Name };

const newRow = {
  table: 'publication',
  columns: ['id', 'organization_id', 'folder', 'version', 'place', 'columns', 'created_at'],
} as const;

/** True if the version of a publication is the current one of its dataset or acceleration. */
const isCurrent = sql`(exists (select 1 from securable s where s.id = publication.folder and s.data_version = publication.version)
  or exists (select 1 from acceleration x where x.id = publication.folder and x.copy_version = publication.version))`;

/** True if a job is working on the publications of the same rows. */
const isWorkedOn = sql`exists (select 1 from job j
  where j.type = ${publishJob} and j.subject = publication.folder and j.lease is not null)`;

async function begin(context: WriteContext, command: Step<'begin'>): Promise<number> {
  const { transaction, now } = context;
  const { held, id, organizationId, folder, version } = command;
  if (!(await isHeld(context, held))) return 0;
  await transaction.run(
    sql`update publication set dropped_at = ${now} where folder = ${folder} and ready_at is null and dropped_at is null`,
  );
  return transaction.run(insert(newRow, [id, organizationId, folder, version, '[]', '[]', now]));
}

async function ready(context: WriteContext, { held, id, place, columns }: Step<'ready'>): Promise<number> {
  const { transaction, now } = context;
  if (!(await isHeld(context, held))) return 0;
  const count = await transaction.run(
    sql`update publication set ready_at = ${now}, place = ${JSON.stringify(place)}, columns = ${JSON.stringify(columns)}
      where id = ${id} and dropped_at is null and ${isCurrent}`,
  );
  if (count === 0) return 0;
  await transaction.run(
    sql`update publication set dropped_at = ${now}
      where folder = (select p.folder from publication p where p.id = ${id}) and id <> ${id} and dropped_at is null`,
  );
  return count;
}

const outdate = ({ transaction, now }: WriteContext): Promise<number> =>
  transaction.run(
    sql`update publication set dropped_at = ${now}
      where dropped_at is null and (not ${isCurrent} or (ready_at is null and not ${isWorkedOn}))`,
  );

async function perform(context: WriteContext, command: PublicationCommand): Promise<number> {
  const { transaction, now } = context;
  switch (command.step) {
    case 'begin':
      return begin(context, command);
    case 'ready':
      return ready(context, command);
    case 'drop':
      return transaction.run(
        sql`update publication set dropped_at = ${now} where id in ${list(command.ids)} and dropped_at is null`,
      );
    case 'forget':
      return transaction.run(sql`delete from publication where id in ${list(command.ids)}`);
    case 'outdate':
      return outdate(context);
    case 'name':
      return transaction.run(
        sql`insert into setting (name, value) values ('cluster_name', ${command.name}) on conflict (name) do nothing`,
      );
  }
}

const publication = async (
  environment: WriteEnvironment,
  transaction: Transaction,
  command: PublicationCommand,
): Promise<WriteResult> => done(await perform(beginWrite(environment, transaction, null), command));

/** Handlers of commands about publications. */
export const publicationPerformers: Performers<keyof PublicationCommands> = { publication };
