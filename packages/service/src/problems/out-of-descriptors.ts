/** Codes of the system for a process, or a machine, without a file descriptor to spare. */
const codes: readonly unknown[] = ['EMFILE', 'ENFILE'];

/** Whether an error of the system says that no file or connection can be opened now. */
export const isOutOfDescriptors = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code);
