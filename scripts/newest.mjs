// Plain JavaScript for Node 20: `prestart` and the program itself use it.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const isSource = (entry) => entry.isFile() && !entry.name.endsWith('.test.ts');

const entriesOf = (folder) => (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []);

/** When a file in a folder, or below it, was changed last, in milliseconds since 1970; tests do not count, 0 where there is none. */
export const newest = (folder) =>
  Math.max(
    0,
    ...entriesOf(folder)
      .filter(isSource)
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );

/** Whether a built file is not there, or one of the folders it was built from has been changed since. */
export const isOlder = (built, folders) =>
  !existsSync(built) || Math.max(...folders.map(newest)) > statSync(built).mtimeMs;
