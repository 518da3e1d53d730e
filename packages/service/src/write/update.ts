import type { JsonObject } from '@inlay/contract';
import type { AuthorizedWrite } from '../pipeline/rights/authorize-write.ts';
import { current } from '../pipeline/rights/shown-record.ts';
import type { Resource } from '../resource/define.ts';
import { withProperties } from '../declare/properties.ts';
import { at, carriedSecrets, masked } from '../declare/secrets.ts';
import { recordOf, replaceRecord, type StoredRecord } from '../resource/tables.ts';
import { onlyTexts, type CreatedRecord } from './create.ts';
import { nestedSecrets } from './nested-secrets.ts';
import { hasLaterRules, laterOf, load, generatedFields, runRules, workOf, type WriteContext } from './context.ts';

/**
 * Changes only the sent fields. The row is locked, so that no concurrent update is lost.
 * specification/operations#versions-of-a-record
 */
export async function update(
  context: WriteContext,
  resource: Resource,
  stored: StoredRecord,
  { set }: AuthorizedWrite,
  prepared: JsonObject,
): Promise<CreatedRecord> {
  const { environment, transaction, caller } = context;
  const { id, organizationId } = stored;
  const work = workOf(context);
  const before = current(resource, recordOf(stored));
  // Null resets a field to its default, which for some fields is a generated value.
  const made = generatedFields(context, resource, id, organizationId).record;
  const values = Object.entries(set).map(([name, value]) => [name, value ?? made[name] ?? null] as const);
  const sent = withProperties(resource, before, Object.fromEntries(values));
  const touched =
    resource.fields['updated_at']?.hidden === true ? {} : { updated_at: laterOf(context.now, before['updated_at']) };
  const change = {
    operation: 'update',
    id,
    caller,
    before,
    sent: set,
    prepared,
    now: context.now,
  } as const;
  const ruled = await runRules(resource, { ...change, after: { ...sent, ...touched } }, work, false);
  const sealedFields = new Set(Object.keys(stored.sealed));
  const further = await nestedSecrets(transaction, resource, ruled.after, sealedFields, 'update');
  const carried = { ...carriedSecrets(resource, set), ...further.changes };
  const forgotten = Object.fromEntries(ruled.forget.map((place) => [place, null]));
  const row = { resource: resource.name, id, organization: organizationId };
  const sealed = await environment.seals.sealAll(transaction, row, stored.sealed, {
    ...forgotten,
    ...carried,
    ...ruled.secrets,
  });
  const replaced = await replaceRecord(transaction, resource, stored, {
    record: masked(resource, ruled.after, new Set(Object.keys(sealed)), further.places),
    hidden: { updated_at: context.now, ...ruled.hidden },
    organizationId,
    sealed,
    secretKey: environment.seals.keyOf(sealed),
  });
  const later = await runRules(resource, { ...change, after: ruled.after }, work, true);
  const written = hasLaterRules(resource, 'update') ? await load(context, resource, id) : replaced;
  if (written === null) throw new Error(`a record that was just changed is not there: ${resource.name}`);
  const inRequest = Object.entries(carried).filter(([place, value]) => at(set, place) === value);
  return {
    stored: written,
    carried: onlyTexts(Object.fromEntries(inRequest)),
    shown: { ...ruled.shown, ...later.shown },
  };
}
