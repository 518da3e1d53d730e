/** Codes of the system for a disk or a quota without room. */
const codes: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** Whether an error of the system says that there is no room on the disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code);

/** Calls that write, and codes of the system for a disk that fails or cannot be written. */
const writes: readonly unknown[] = [
  'open',
  'write',
  'mkdir',
  'mkdtemp',
  'rename',
  'copyfile',
  'link',
  'unlink',
  'ftruncate',
  'fsync',
];
const unwritable: readonly unknown[] = ['EROFS', 'EACCES', 'EPERM', 'EIO'];

/** Whether an error of the system says that the data folder cannot be written. */
export function isDiskUnwritable(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return false;
  // What Node says where it makes a folder and those around it on a disk that is read-only.
  if (error.code === 'ENOENT') return error.syscall === 'mkdir';
  return unwritable.includes(error.code) && writes.includes(error.syscall);
}
