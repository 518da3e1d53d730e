import { isList, isObject, type Json } from '@inlay/contract';
import type { Warning } from '../../declare/warning.ts';

const isSet = (value: Json): boolean =>
  value !== null &&
  value !== false &&
  !(isList(value) && value.length === 0) &&
  !(isObject(value) && Object.keys(value).length === 0);

/** Warns that a setting is stored for compatibility but has no effect yet. */
export const withoutEffect = (value: Json, at: string): readonly Warning[] =>
  isSet(value) ? [{ path: at, code: 'no_effect', message: 'is stored and shown, and has no effect yet' }] : [];
