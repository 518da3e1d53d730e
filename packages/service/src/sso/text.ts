/** Whether no text in a value holds what a store cannot keep: NUL, or half of a character. */
export function isSafeText(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isSafeText);
}
