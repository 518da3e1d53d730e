import type { HeldJob } from './job.ts';

/**
 * A step of a publication: a version of stored rows that is written to the cluster as well.
 *
 * - `begin`: notes a publication before any of its files exist. Drops unfinished publications of the same rows.
 * - `ready`: makes a publication the one that queries use, and drops the others of the same rows. Counts 0 if its version
 *   is no longer the current one.
 * - `drop`: ends the use of publications. Their files and tables are deleted later.
 * - `outdate`: drops the publications of versions that are no longer current, and those that nobody completes.
 * - `forget`: deletes publications that have no file and no table.
 * - `name`: names this store for its files and tables, unless it has a name.
 */
export type PublicationCommand = { readonly kind: 'publication' } & (
  | {
      readonly step: 'begin';
      readonly held: HeldJob;
      readonly id: string;
      readonly organizationId: string;
      /** Id of the dataset or the acceleration. */
      readonly folder: string;
      readonly version: string;
    }
  | {
      readonly step: 'ready';
      readonly held: HeldJob;
      readonly id: string;
      /** The table at the cluster: catalog, schema and name. */
      readonly place: readonly string[];
      /** Names of the columns of the version, in the order of the columns of the table. */
      readonly columns: readonly string[];
    }
  | { readonly step: 'drop'; readonly ids: readonly string[] }
  | { readonly step: 'forget'; readonly ids: readonly string[] }
  | { readonly step: 'outdate' }
  | { readonly step: 'name'; readonly name: string }
);

export interface PublicationCommands {
  readonly publication: PublicationCommand;
}

/** Type of the jobs that publish rows. The subject is the id of the dataset or the acceleration. */
export const publishJob = 'publish rows';
