import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bucket } from '../s3/bucket.ts';
import { BucketProblem } from '../s3/fault.ts';
import type { PublicationKey } from './publication-names.ts';
import { addressOf, pathOf, type FilesFault, type PublishedFiles } from './published-files.ts';

/** Where the files of all stores are in a bucket. */
export interface BucketPlace {
  /** Prefix of the keys with a slash at its end; empty for the whole bucket. */
  readonly prefix: string;
  /** Address of the prefix at the cluster. */
  readonly location: string;
  /** Local folder for files that are not uploaded yet. */
  readonly workFolder: string;
}

/** Keys of this service after the name of the store: organization, dataset, publication and file. */
const keyForm = /^([\da-f-]{36})\/([\da-f-]{36})\/([\da-f-]{36})\/\d{6}\.parquet$/u;

/** Files of publications as objects in a bucket. */
export class BucketFiles implements PublishedFiles {
  readonly #bucket: Bucket;
  readonly #place: BucketPlace;
  readonly #store: string;

  /** `store` is the name of this store. */
  constructor(bucket: Bucket, place: BucketPlace, store: string) {
    this.#bucket = bucket;
    this.#place = place;
    this.#store = store;
  }

  /** Files are written to a local folder first. Checks the bucket before that, since writing may take half an hour. */
  async write<Result>(
    key: PublicationKey,
    fill: (folder: string) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    await this.#bucket.check(this.#place.prefix, signal);
    const folder = join(this.#place.workFolder, key.id);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const result = await fill(folder);
      for (const name of (await readdir(folder)).toSorted()) {
        await this.#bucket.put(`${this.#prefixOf(key)}${name}`, join(folder, name), signal);
        await rm(join(folder, name));
      }
      return result;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  locationOf(key: PublicationKey): string {
    return addressOf(this.#place.location, this.#store, key);
  }

  async list(signal: AbortSignal): Promise<readonly PublicationKey[]> {
    const keys = new Map<string, PublicationKey>();
    for (const { publication } of await this.#objects(this.#root, signal)) keys.set(publication.id, publication);
    return [...keys.values()];
  }

  async remove(key: PublicationKey, signal: AbortSignal): Promise<void> {
    for (const { object } of await this.#objects(this.#prefixOf(key), signal))
      await this.#bucket.delete(object, signal);
  }

  async check(): Promise<FilesFault | null> {
    try {
      await this.#bucket.check(this.#place.prefix, new AbortController().signal);
      return null;
    } catch (error) {
      if (error instanceof BucketProblem) return error.fault;
      throw error;
    }
  }

  /** Returns the objects below a prefix that this store has written. Others are not touched. */
  async #objects(prefix: string, signal: AbortSignal) {
    return (await this.#bucket.list(prefix, signal)).flatMap((object) => {
      const [, organizationId, folder, publication] = keyForm.exec(object.slice(this.#root.length)) ?? [];
      if (organizationId === undefined || folder === undefined || publication === undefined) return [];
      return [{ object, publication: { organizationId, folder, id: publication } }];
    });
  }

  get #root(): string {
    return `${this.#place.prefix}${this.#store}/`;
  }

  #prefixOf(key: PublicationKey): string {
    return `${this.#place.prefix}${pathOf(this.#store, key)}/`;
  }
}
