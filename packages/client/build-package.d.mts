/** Writes the package into a folder, which `npm pack` and `npm publish` then take as it is. */
export declare function buildPackage(outDir: string): Promise<void>;
