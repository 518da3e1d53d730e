import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Fields } from './fields.ts';
import type { Warning } from './warning.ts';

/** Members of an answer that are not fields of a record. A request may send them back. */
export const warningMembers = {
  warnings: {
    type: 'array',
    maxItems: 100,
    description: 'What somebody should look at; only where there is something.',
    items: {
      title: 'Warning',
      type: 'object',
      properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      required: ['path', 'code', 'message'],
      additionalProperties: false,
    },
  },
  warnings_count: { type: 'integer', minimum: 1, description: 'How many warnings there are in all.' },
} as const;

export const isWarningMember = (name: string): boolean => Object.hasOwn(warningMembers, name);

/** Returns the members of an answer that list warnings; an empty object if there are no warnings. */
export const membersOf = (warnings: readonly Warning[]): JsonObject =>
  warnings.length === 0
    ? {}
    : { warnings: warnings.slice(0, 100).map((warning) => ({ ...warning })), warnings_count: warnings.length };

export const isWarning = (value: Json): value is JsonObject & Warning =>
  isObject(value) && ['path', 'code', 'message'].every((name) => typeof value[name] === 'string');

/** Adds warnings to the members of an answer. */
export function withWarnings(shown: JsonObject, more: readonly Warning[]): JsonObject {
  if (more.length === 0) return shown;
  const { warnings = [], warnings_count: count = 0, ...rest } = shown;
  const existing = isList(warnings) ? warnings.filter(isWarning) : [];
  const { warnings: all } = membersOf([...existing, ...more]);
  return {
    ...rest,
    warnings: all ?? [],
    warnings_count: (typeof count === 'number' ? count : existing.length) + more.length,
  };
}

/** Returns warnings about the values of fields; `at` is their path in the request. */
export const warningsOfValues = (fields: Fields, sent: JsonObject, at: string): readonly Warning[] =>
  Object.entries(sent).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return value === undefined ? [] : (field?.warns?.(value, `${at}.${name}`) ?? []);
  });
