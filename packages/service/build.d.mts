/** Builds into a folder, which is `dist/` unless given. */
export declare function buildService(outDir?: string): Promise<void>;
