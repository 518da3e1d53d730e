/** System errors for a full disk or quota. */
const codes: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** True if a system error means that the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code);

/** System calls that write. If they fail, the disk may be failing or read-only. */
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
const unwritableCodes: readonly unknown[] = ['EROFS', 'EACCES', 'EPERM', 'EIO'];

/** True if a system error means that the data folder is not writable. */
export function isDiskUnwritable(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return false;
  // Node reports ENOENT when it creates nested folders on a read-only disk.
  if (error.code === 'ENOENT') return error.syscall === 'mkdir';
  return unwritableCodes.includes(error.code) && writes.includes(error.syscall);
}
