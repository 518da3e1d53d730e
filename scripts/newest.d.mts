/** When a file in a folder, or below it, was changed last, in milliseconds since 1970; tests do not count, 0 where there is none. */
export declare const newest: (folder: string) => number;
/** Whether a built file is not there, or one of the folders it was built from has been changed since. */
export declare const isOlder: (built: string, folders: readonly string[]) => boolean;
