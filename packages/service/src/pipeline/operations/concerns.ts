import { isObject, member, type Json, type JsonObject } from '@inlay/contract';
import { derived } from '../../declare/derived.ts';
import { isConcernName, type ConcernName } from '../../tracing/concerns.ts';
import type { AuthenticatedRequest } from '../authenticate.ts';
import type { AuthorizedRequest } from '../authorize.ts';
import type { ExecutionResult } from '../execute.ts';

const textIn = (object: JsonObject | undefined, name: string): string | null => {
  const value = object === undefined ? undefined : member(object, name);
  return typeof value === 'string' ? value : null;
};

const objectIn = (value: Json | undefined): JsonObject | undefined =>
  value !== undefined && isObject(value) ? value : undefined;

/** Reference fields of a resource whose target appears in the log, each with the kind of its target. */
const referring = derived((resource): readonly (readonly [string, ConcernName])[] =>
  Object.entries(resource.fields).flatMap(([name, { targetOf = '' }]) =>
    isConcernName(targetOf) ? [[name, targetOf]] : [],
  ),
);

/**
 * Notes the dashboard or dataset of a request for its log line: the record of the request itself, or a record that it
 * references.
 */
export function noteConcerns({ path, envelope, incoming: { trace } }: AuthenticatedRequest): void {
  const { resource, fixed } = path;
  const { id, properties, find } = envelope;
  const where = objectIn(find?.['where']);
  const note = (name: ConcernName, value: string | null): void => {
    if (value !== null) trace.concerns.note(name, value);
  };
  const variety = textIn(fixed, resource.variety?.field ?? '') ?? '';
  if (isConcernName(variety)) note(variety, id ?? textIn(where, 'id'));
  for (const [field, name] of referring(resource))
    for (const container of [properties, find, where]) note(name, textIn(container, field));
}

/** Every stored record of a resource with varieties starts like this. */
const varietyAtStart = /^\{"id":"[^"]*","type":"(?<variety>\w+)"/u;

/** Notes the dashboard or dataset that was read or written for the log line. */
export function noteRecord({ path, incoming: { trace } }: AuthorizedRequest, executed: ExecutionResult): void {
  if (path.resource.variety === undefined || (executed.kind !== 'one' && executed.kind !== 'written')) return;
  const { id, text } = executed.seen.stored;
  const variety = varietyAtStart.exec(text)?.groups?.['variety'] ?? '';
  if (isConcernName(variety)) trace.concerns.note(variety, id);
}
