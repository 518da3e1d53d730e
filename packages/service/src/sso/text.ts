/** True if every text in a value can be stored: it contains no NUL and no lone surrogate. */
export function isSafeText(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isSafeText);
}
