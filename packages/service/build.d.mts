/** Whether the sources have been changed since the last build into a folder, which is `dist/` unless given. */
export declare function isStale(outDir?: string): boolean;
/** The module to run: what was built, or the sources where they are newer. */
export declare function program(): URL;
/** Builds into a folder, which is `dist/` unless given; files of earlier builds stay for a month. */
export declare function buildService(outDir?: string): Promise<void>;
