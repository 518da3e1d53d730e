import type { PublicationKey } from './publication-names.ts';

/** Why files cannot be published, and what an operator can do. */
export interface FilesFault {
  readonly problem: string;
  readonly fix: string;
}

/** The files of publications, at a place that the cluster reads: `<store>/<organization>/<dataset>/<publication>/`. */
export interface PublishedFiles {
  /**
   * Publishes the files that `fill` writes to an empty folder, and returns the result of `fill`. Raises Problem
   * `source_failed`, the reason of the signal, and what `fill` raises.
   */
  write<Result>(key: PublicationKey, fill: (folder: string) => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Returns the address of the folder of a publication at the cluster. */
  locationOf(key: PublicationKey): string;
  /** Lists the publications that have files. */
  list(signal: AbortSignal): Promise<readonly PublicationKey[]>;
  /** Deletes the files of a publication. */
  remove(key: PublicationKey, signal: AbortSignal): Promise<void>;
  /** Returns why files cannot be written; null if they can, as far as is known without writing one. */
  check(): Promise<FilesFault | null>;
}

/** Returns the path of the files of a publication below the place of all files. */
export const pathOf = (store: string, { organizationId, folder, id }: PublicationKey): string =>
  `${store}/${organizationId}/${folder}/${id}`;

/** Returns the address of the files of a publication. `location` is the address of all files. */
export const addressOf = (location: string, store: string, key: PublicationKey): string =>
  `${location.replace(/\/$/u, '')}/${pathOf(store, key)}`;
