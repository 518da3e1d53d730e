import type { JsonObject } from '@inlay/contract';
import { mustHaveFeatures } from '../access/features.ts';
import { referenceTo } from '../callers/caller-of.ts';
import { isDiskFull, isDiskUnwritable } from '../problems/disk-full.ts';
import { Problem } from '../problems/problem.ts';
import { recordOf } from '../resource/tables.ts';
import type { Resource } from '../resource/define.ts';
import type { ServedAnswer } from '../resource/served.ts';
import { createAnswerBudget, type AnswerBudget } from '../search/answer-budget.ts';
import { findOne } from '../search/find-one.ts';
import { search } from '../search/search.ts';
import type { SearchContext, VisibleRecord } from '../search/visible-records.ts';
import {
  OutcomeUnknown,
  StoreBusy,
  StoreConflict,
  StoreDamaged,
  StoreFull,
  StoreNewer,
  StoreUnavailable,
} from '../store/store.ts';
import type { Find } from '../search/find.ts';
import { isKnown } from '../idempotency/table.ts';
import type { AuthorizedRequest } from './authorize.ts';
import type { WriteCommand, WriteInput } from '../commands/record.ts';
import type { WriteResult } from '../commands/command.ts';
import { nextRound } from '../concurrency/turns.ts';
import { explain } from './explain.ts';
import { serve } from './serve.ts';
import type { Service } from './service.ts';

/** Step 5: the records that were read or written. */
export type ExecutionResult =
  | {
      readonly kind: 'one';
      readonly seen: VisibleRecord;
      readonly find: Find;
      readonly budget: AnswerBudget;
      /** Members of the answer besides the record. */
      readonly further: JsonObject;
    }
  | {
      readonly kind: 'many';
      /** Null if the count was not requested. */
      readonly count: number | null;
      readonly rows: readonly VisibleRecord[];
      readonly find: Find;
      readonly budget: AnswerBudget;
    }
  | {
      readonly kind: 'written';
      readonly seen: VisibleRecord;
      readonly carried: JsonObject;
      readonly shown: JsonObject;
      readonly isReplayed: boolean;
    }
  | { readonly kind: 'deleted'; readonly isReplayed: boolean }
  | { readonly kind: 'served'; readonly answer: ServedAnswer };

const asking = ({ reader, registry }: Service, { caller }: AuthorizedRequest): SearchContext => ({
  reader,
  registry,
  caller,
});

/** Returns the Problem for a violated unique constraint. */
function conflictOf(error: StoreConflict, resource: Resource): Problem {
  const name = error.columns.split(',').find((column) => column !== 'organization_id') ?? error.columns;
  const field = error.table === resource.name ? resource.fields[name] : undefined;
  if (field?.conflictCode !== undefined) return new Problem(field.conflictCode);
  return new Problem('already_taken', {
    validation: { [field === undefined ? name : `properties.${name}`]: ['is already taken'] },
  });
}

async function sendWrite(service: Service, allowed: AuthorizedRequest, command: WriteCommand): Promise<WriteResult> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await service.store.write(command);
    } catch (error) {
      // A concurrent request with the same Idempotency-Key was written first; its answer is now available.
      if (error instanceof StoreConflict && error.table === 'idempotency' && attempt < 3) continue;
      if (error instanceof StoreConflict) throw conflictOf(error, allowed.path.resource);
      throw error;
    }
  }
}

/** The result of `prepare` of a resource. `repeats`: true if the answer to this request is already stored. */
interface Preparation {
  readonly prepared: JsonObject;
  readonly repeats: boolean;
}

/** Runs the effects of a resource outside the transaction, such as a call to a plugin. Raises Problem. */
async function prepare(service: Service, allowed: AuthorizedRequest): Promise<Preparation> {
  const { path, caller, incoming, input, idempotency } = allowed;
  const { resource } = path;
  // A validation must not have effects outside the transaction.
  const isPrepared =
    allowed.mode !== 'validate' &&
    (input.kind === 'create' || input.kind === 'update') &&
    resource.prepare !== undefined &&
    resource.prepares?.({ operation: input.kind, sent: input.properties.set }) !== false;
  if (!isPrepared) return { prepared: {}, repeats: false };
  await service.confirmCaller();
  // A repeated request must not repeat the effects: some are possible only once, such as the exchange of a code.
  if (idempotency !== null && (await isKnown(service.reader, idempotency))) return { prepared: {}, repeats: true };
  const id = input.kind === 'update' ? input.id : null;
  const request = { operation: input.kind, id, sent: input.properties.set, caller, address: incoming.address };
  return { prepared: await resource.prepare(request, service), repeats: false };
}

/** Returns the command that executes a write. */
function commandOf(
  service: Service,
  allowed: AuthorizedRequest,
  input: WriteInput,
  { prepared, repeats }: Preparation,
): WriteCommand {
  const { path, caller, incoming, isLarge, idempotency, mode } = allowed;
  return {
    kind: 'write',
    resource: path.resource.name,
    caller: caller === null ? null : referenceTo(caller),
    input,
    fixed: path.fixed,
    prepared,
    ifMatch: incoming.ifMatch ?? null,
    isLarge,
    ...(mode === null ? {} : { mode }),
    idempotency:
      idempotency === null || mode === 'validate' ? null : repeats ? { ...idempotency, repeats } : idempotency,
  };
}

/** Logs audit events of a write. */
function auditWrite(service: Service, { path: { resource }, caller }: AuthorizedRequest, write: WriteInput): void {
  if (write.kind === 'create') return;
  const about = { resource: resource.name, id: write.id, by: caller?.userId ?? null };
  if (write.kind === 'associate' && resource.associations?.[write.link.role]?.takenOver === true)
    service.audit('rights given', { ...about, to: write.link.targetId, ...write.link.flags });
  if (write.kind === 'delete' && Object.keys(write.set).length > 0)
    service.audit('deleted', { ...about, ...write.set });
}

async function executeWrite(service: Service, allowed: AuthorizedRequest): Promise<ExecutionResult> {
  const { write, isLarge } = allowed;
  if (write === null) throw new Error('a write without a command');
  const preparation = await prepare(service, allowed);
  if (isLarge) await nextRound();
  const result = await sendWrite(service, allowed, commandOf(service, allowed, write, preparation));
  if (isLarge) await nextRound();
  switch (result.kind) {
    case 'record': {
      auditWrite(service, allowed, write);
      const { stored, carried, shown } = result;
      return {
        kind: 'written',
        seen: { stored, hiddenFields: [] },
        carried,
        shown,
        isReplayed: result.replayed === true,
      };
    }
    case 'deleted':
      auditWrite(service, allowed, write);
      return { kind: 'deleted', isReplayed: result.replayed === true };
    // The answer has no record, like the answer to a delete.
    case 'validated':
      return { kind: 'deleted', isReplayed: false };
    case 'problem':
      throw new Problem(result.problem.code, result.problem);
    case 'records':
    case 'sso':
    case 'answer':
    case 'shared':
    case 'jobs':
    case 'held':
    case 'misjudged':
    case 'done':
      throw new Error('a write of the API was answered as one of the operator');
  }
}

/** Raises Problem `feature_off` if the caller lacks a feature for reading such records. */
const mustShow = ({ path: { resource }, caller }: AuthorizedRequest, record: () => JsonObject): void =>
  mustHaveFeatures(caller, resource, { operation: 'get', record, input: {} });

/** Reads or writes. Raises Problem. */
export async function execute(service: Service, allowed: AuthorizedRequest): Promise<ExecutionResult> {
  const { input, path } = allowed;
  const budgetOf = (): AnswerBudget =>
    createAnswerBudget(service.answerLimits, (bytes) => service.reserveAnswer(allowed, bytes));
  if (input.kind === 'get') {
    const seen = await findOne(asking(service, allowed), path.resource, input.id, input.find.fixed);
    if (seen === null) throw new Problem('not_found');
    mustShow(allowed, () => recordOf(seen.stored));
    const further = input.explain === null ? {} : await explain(service, allowed, seen, input.explain);
    return { kind: 'one', seen, find: input.find, budget: budgetOf(), further };
  }
  if (input.kind === 'search') {
    mustShow(allowed, () => path.fixed);
    const budget = budgetOf();
    const result = await search({ ...asking(service, allowed), budget }, path.resource, input.find);
    return { kind: 'many', ...result, find: input.find, budget };
  }
  if (input.kind === 'served')
    return { kind: 'served', answer: await serve(service, allowed, input.operation, input.input) };
  return executeWrite(service, allowed);
}

/** Returns the Problem of a failure of the store; undefined for other errors. */
export function storeProblem(error: unknown): Problem | undefined {
  if (error instanceof StoreFull || isDiskFull(error)) return new Problem('disk_full', { retryAfterS: 60 });
  if (isDiskUnwritable(error)) return new Problem('disk_unwritable', { retryAfterS: 60 });
  if (error instanceof StoreDamaged) return new Problem('store_damaged', { retryAfterS: 60 });
  if (error instanceof StoreNewer) return new Problem('store_newer', { retryAfterS: 60 });
  if (error instanceof StoreBusy) return new Problem('overloaded', { retryAfterS: 1 });
  if (error instanceof StoreUnavailable) return new Problem('store_unavailable', { retryAfterS: 1 });
  if (error instanceof OutcomeUnknown) return new Problem('outcome_unknown', { retryAfterS: 1 });
  return undefined;
}
