export declare const isStale: (lock: string, installed: string | undefined, withDev: boolean) => boolean;
export declare const missingTestPrograms: (
  onPath: (program: string) => boolean,
  postgresDirectories: readonly string[],
) => readonly { readonly name: string; readonly found: boolean; readonly tests: string }[];
