import { filledText, type Json } from '@inlay/contract';
import { formatFault } from '@inlay/contract/dashboard';
import type { Warning } from '../../declare/warning.ts';

/** Returns warnings about the display format of a column or formula. */
export const warnOfFormat = (value: Json, path: string): readonly Warning[] => {
  const format = filledText(value);
  const message = format === null ? null : formatFault(format, null);
  return message === null ? [] : [{ path, code: 'unknown_format', message }];
};
