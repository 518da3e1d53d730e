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

/** The fields of a resource that refer to something that is named in the log, with what it is. */
const referring = derived((resource): readonly (readonly [string, ConcernName])[] =>
  Object.entries(resource.fields).flatMap(([name, { targetOf = '' }]) =>
    isConcernName(targetOf) ? [[name, targetOf]] : [],
  ),
);

/** Notes which dashboard or dataset a request names, for its line of the log: as the record, or in a field that refers to one. */
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
    for (const given of [properties, find, where]) note(name, textIn(given, field));
}

/** The start of every stored record whose resource has varieties. */
const varietyAtStart = /^\{"id":"[^"]*","type":"(?<variety>\w+)"/u;

/** Notes the one record that was read or written, where it is a dashboard or a dataset. */
export function noteRecord({ path, incoming: { trace } }: AuthorizedRequest, executed: ExecutionResult): void {
  if (path.resource.variety === undefined || (executed.kind !== 'one' && executed.kind !== 'written')) return;
  const { id, text } = executed.seen.stored;
  const variety = varietyAtStart.exec(text)?.groups?.['variety'] ?? '';
  if (isConcernName(variety)) trace.concerns.note(variety, id);
}
