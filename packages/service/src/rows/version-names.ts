import { uuidV7 } from '@inlay/contract';

/** Gives a name for a new version: one that sorts behind `before`, the version that it comes after, if there is one. */
export type NameVersion = (before: string | null) => string;

const msOf = (name: string): number => Number.parseInt(name.replace('-', '').slice(0, 12), 16);

/**
 * Names by time, which ids are. The version before may have been named by an instance whose clock is ahead; versions that sort before one
 * that is read are cleared away.
 */
export const createVersionNames =
  (newId: () => string): NameVersion =>
  (before) => {
    const id = newId();
    return before === null || id > before ? id : uuidV7(msOf(before) + 1, id);
  };
