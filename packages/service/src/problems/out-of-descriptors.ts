/** Codes of system errors for an exhausted file descriptor limit, of the process or of the machine. */
const codes: readonly unknown[] = ['EMFILE', 'ENFILE'];

/** True if a system error means that no file or connection can be opened now. */
export const isOutOfDescriptors = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code);
