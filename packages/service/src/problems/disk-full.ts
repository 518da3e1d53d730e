/** Codes of the system for a disk or a quota without room. */
const codes: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** Whether an error of the system says that there is no room on the disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code);
