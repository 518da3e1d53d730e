import { callerOf } from '../callers/caller-of.ts';
import { callerOfFacts } from '../callers/presumed.ts';
import type { Caller } from '../access/caller.ts';
import { authorizeLink } from '../pipeline/rights/authorize-link.ts';
import { authorizeWrite, type AuthorizedWrite } from '../pipeline/rights/authorize-write.ts';
import { lockedContext, type AuthorizationContext } from '../pipeline/rights/held-roles.ts';
import type { LinkCommand, WriteCommand, WriteInput } from '../commands/record.ts';
import type { WriteResult } from '../commands/command.ts';
import { Problem } from '../problems/problem.ts';
import type { Association, Resource } from '../resource/define.ts';
import { storedSide } from '../resource/registry.ts';
import { entityTag, type StoredRecord } from '../resource/tables.ts';
import { warningsOfValues, withWarnings } from '../declare/warnings.ts';
import type { Warning } from '../declare/warning.ts';
import type { Transaction } from '../store/store.ts';
import { create } from './create.ts';
import { runIdempotent } from '../idempotency/run-idempotent.ts';
import { sideOf, standingLink } from './links/link-side.ts';
import { associate, dissociate } from './links/links.ts';
import { mustBeSound } from './strict.ts';
import { load, beginWrite, type WriteEnvironment, type WriteContext } from './context.ts';
import { remove } from './remove.ts';
import { update } from './update.ts';

function checkPrecondition(stored: StoredRecord, ifMatch: string | null): void {
  if (ifMatch === null || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
  if (!tags.includes(entityTag(stored))) throw new Problem('precondition_failed');
}

/** Returns the warnings about the properties of a new link and about its target. */
async function warningsOfLink(
  context: WriteContext,
  resource: Resource,
  firstId: string,
  { at, role, set, targetId }: LinkCommand,
  association: Association,
): Promise<readonly Warning[]> {
  const { properties = {}, doubts } = storedSide(context.environment.registry, association);
  const ofValues = warningsOfValues(properties, set, at.startsWith('associations') ? `${at}.properties` : 'properties');
  if (doubts === undefined) return ofValues;
  const side = sideOf(context, resource, firstId, role, association, targetId);
  const link = { ...side, properties: (await standingLink(context, side))?.properties ?? {} };
  const doubt = await doubts(link, context.caller, context.transaction);
  return doubt === null ? ofValues : [...ofValues, { path: `${at}.id`, ...doubt }];
}

/** A write that was authorized within the same transaction. */
interface WriteRequest<Kind extends WriteInput['kind']> {
  readonly context: WriteContext;
  readonly resource: Resource;
  readonly command: WriteCommand;
  readonly input: WriteInput & { readonly kind: Kind };
  readonly authorization: AuthorizationContext;
  readonly authorized: AuthorizedWrite;
}

/** Loads a stored record. Raises Problem `not_found`. */
async function storedNow(context: WriteContext, resource: Resource, id: string): Promise<StoredRecord> {
  const stored = await load(context, resource, id);
  if (stored === null) throw new Problem('not_found');
  return stored;
}

/** Returns the record that an update changes. Raises Problem `not_found`. */
function storedBefore({ authorized: { before } }: Pick<WriteRequest<'update'>, 'authorized'>): StoredRecord {
  if (before === null) throw new Problem('not_found');
  return before;
}

async function writeCreate(request: WriteRequest<'create'>): Promise<WriteResult> {
  const { context, resource, command, input, authorization, authorized } = request;
  const made = await create(context, resource, authorized, command.prepared);
  const warnings = [...warningsOfValues(resource.fields, authorized.set, 'properties')];
  if (input.links.length === 0) return { kind: 'record', ...made, shown: withWarnings(made.shown, warnings) };
  // Associations in a create are part of the same write.
  for (const link of input.links) {
    const association = await authorizeLink(authorization, resource, made.stored, link);
    await associate(context, resource, made.stored, link, association);
    warnings.push(...(await warningsOfLink(context, resource, made.stored.id, link, association)));
  }
  const shown = withWarnings(made.shown, warnings);
  return { kind: 'record', ...made, stored: await storedNow(context, resource, made.stored.id), shown };
}

async function writeUpdate(request: WriteRequest<'update'>): Promise<WriteResult> {
  const { context, resource, command, authorized } = request;
  const before = storedBefore(request);
  checkPrecondition(before, command.ifMatch);
  const changed = await update(context, resource, before, authorized, command.prepared);
  const warnings = warningsOfValues(resource.fields, authorized.set, 'properties');
  return { kind: 'record', ...changed, shown: withWarnings(changed.shown, warnings) };
}

async function writeDelete(request: WriteRequest<'delete'>): Promise<WriteResult> {
  const { context, resource, command, authorized } = request;
  const before = storedBefore(request);
  checkPrecondition(before, command.ifMatch);
  await remove(context, resource, before, authorized.set);
  return { kind: 'deleted' };
}

async function writeLink(request: WriteRequest<'associate' | 'dissociate'>): Promise<WriteResult> {
  const { context, resource, input } = request;
  const before = storedBefore(request);
  const association = resource.associations?.[input.link.role];
  if (association === undefined) throw new Problem('association_unknown');
  const isMade = input.kind === 'associate';
  await (isMade ? associate : dissociate)(context, resource, before, input.link, association);
  const warnings = isMade ? await warningsOfLink(context, resource, before.id, input.link, association) : [];
  const stored = await storedNow(context, resource, before.id);
  return { kind: 'record', stored, carried: {}, shown: withWarnings({}, warnings) };
}

async function authorizeAndWrite(
  context: WriteContext,
  resource: Resource,
  command: WriteCommand,
): Promise<WriteResult> {
  const { caller, transaction, environment } = context;
  const authorization = lockedContext(transaction, environment.registry, caller);
  const authorized = await authorizeWrite(authorization, resource, command.input, command.fixed);
  const result = await performWrite({ context, resource, command, authorization, authorized });
  if (command.mode !== undefined) mustBeSound(resource, result, command.mode);
  return result;
}

function performWrite(request: Omit<WriteRequest<WriteInput['kind']>, 'input'>): Promise<WriteResult> {
  const { input } = request.command;
  switch (input.kind) {
    case 'create':
      return writeCreate({ ...request, input });
    case 'update':
      return writeUpdate({ ...request, input });
    case 'delete':
      return writeDelete({ ...request, input });
    case 'associate':
    case 'dissociate':
      return writeLink({ ...request, input });
  }
}

/**
 * Step 5 in its transaction (specification/operations#transactions): loads the caller, checks the rights again, then
 * writes. A presumed caller is confirmed at the same time. If the facts have changed, the transaction is rolled back.
 * Raises Problem, StaleCaller.
 */
export async function write(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: WriteCommand,
): Promise<WriteResult> {
  const nobody = beginWrite(environment, transaction, null);
  const resource = environment.registry.resource(command.resource);
  const writeAs = (caller: Caller | null): Promise<WriteResult> => {
    const performed = { ...nobody, caller };
    return runIdempotent(performed, command.idempotency, () => authorizeAndWrite(performed, resource, command));
  };
  const { caller: reference } = command;
  const nowMs = Date.parse(nobody.now);
  const current = reference === null ? null : callerOf(transaction, reference, nowMs, command.presumed);
  const presumed = command.presumed === undefined ? null : callerOfFacts(command.presumed, nowMs);
  if (presumed === null) return writeAs(await current);
  const [confirmed, result] = await Promise.allSettled([current, writeAs(presumed)]);
  // Results for a stale caller are discarded.
  if (confirmed.status === 'rejected') throw confirmed.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
