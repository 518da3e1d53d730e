import type { JsonObject } from '@inlay/contract';
import { ownerFor } from '../access/caller.ts';
import type { AuthorizedWrite } from '../pipeline/rights/authorize-write.ts';
import type { Resource } from '../resource/define.ts';
import { freshRecord, varietyOf, withProperties } from '../declare/properties.ts';
import { carriedSecrets, masked } from '../declare/secrets.ts';
import { insertRecord, type StoredRecord } from '../resource/tables.ts';
import { nestedSecrets } from './nested-secrets.ts';
import { addLink, hasLaterRules, load, generatedFields, runRules, workOf, type WriteContext } from './context.ts';

/** A created record, and values that only its answer shows. */
export interface CreatedRecord {
  readonly stored: StoredRecord;
  readonly carried: JsonObject;
  readonly shown: JsonObject;
}

/** Creates a record. Default values, generated values, sent values and rules apply in this order. */
export async function create(
  context: WriteContext,
  resource: Resource,
  { set }: AuthorizedWrite,
  prepared: JsonObject,
): Promise<CreatedRecord> {
  const { environment, transaction, caller } = context;
  const work = workOf(context);
  const id = environment.id(environment.now());
  const made = generatedFields(context, resource, id, caller?.organizationId ?? null);
  const variety = varietyOf(resource, set) ?? varietyOf(resource, freshRecord(resource, undefined));
  const start = { ...freshRecord(resource, variety), ...made.record };
  const sent = Object.fromEntries(
    Object.entries(set).filter(([name, value]) => value !== null || made.record[name] === undefined),
  );
  const change = {
    operation: 'create',
    id,
    caller,
    before: null,
    sent: set,
    prepared,
    now: context.now,
  } as const;
  const ruled = await runRules(resource, { ...change, after: withProperties(resource, start, sent) }, work, false);
  const organizationId = ruled.organizationId ?? caller?.organizationId ?? null;
  const { organization_id: field } = resource.fields;
  const isShown = field !== undefined && field.hidden !== true;
  const record = isShown ? { ...ruled.after, organization_id: organizationId } : ruled.after;
  const further = await nestedSecrets(transaction, resource, record, new Set(), 'create');
  const carried = { ...carriedSecrets(resource, set), ...further.changes };
  const sealed = await environment.seals.sealAll(
    transaction,
    { resource: resource.name, id, organization: organizationId },
    {},
    { ...carried, ...ruled.secrets },
  );
  const inserting = insertRecord(transaction, resource, id, {
    record: masked(resource, record, new Set(Object.keys(sealed)), further.places),
    hidden: { ...made.hidden, created_at: context.now, updated_at: context.now, ...ruled.hidden },
    organizationId,
    sealed,
    secretKey: environment.seals.keyOf(sealed),
  });
  const owner = resource.ownedByMaker === true && caller !== null ? ownerFor(caller) : null;
  const [inserted] = await Promise.all([
    inserting,
    owner === null ? undefined : addLink(context, id, `${resource.name}.Users`, owner, 4),
  ]);
  if (!hasLaterRules(resource, 'create')) return { stored: inserted, carried: onlyTexts(carried), shown: ruled.shown };
  const later = await runRules(resource, { ...change, after: record }, work, true);
  const stored = await load(context, resource, id);
  if (stored === null) throw new Error(`a record that was just made is not there: ${resource.name}`);
  return { stored, carried: onlyTexts(carried), shown: { ...ruled.shown, ...later.shown } };
}

/** Returns the secrets to show in this answer. Cleared secrets are left out. */
export const onlyTexts = (carried: Readonly<Record<string, string | null>>): JsonObject =>
  Object.fromEntries(Object.entries(carried).filter(([, value]) => value !== null));
