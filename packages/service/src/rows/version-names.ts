import { uuidV7 } from '@inlay/contract';

/** Names a new version. The name sorts after `before`, which is the previous version; null if there is none. */
export type NameVersion = (before: string | null) => string;

const msOf = (name: string): number => Number.parseInt(name.replace('-', '').slice(0, 12), 16);

/**
 * Creates names of versions from time-ordered ids. An instance with a fast clock may have named the previous version,
 * but names must still ascend: versions that sort before one in use are deleted.
 */
export const createVersionNames =
  (newId: () => string): NameVersion =>
  (previousName) => {
    const id = newId();
    return previousName === null || id > previousName ? id : uuidV7(msOf(previousName) + 1, id);
  };
