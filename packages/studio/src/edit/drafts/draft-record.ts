import { Failure, type Transport } from '@inlay/client/transport';
import { filledText, inWords, listOr, objectOr, textOr, type Json } from '@inlay/contract';
import { DashboardModel, JsonText, readChange, type Change } from '@inlay/contract/change';
import type { EditStep } from '../edit-history.ts';

/** A draft as the service keeps it for its writer. specification/dashboards#drafts */
export interface DraftRecord {
  readonly id: string;
  /** State of the record, for `If-Match`. */
  readonly etag: string;
}

/** What a draft holds. */
export interface DraftContents {
  readonly model: DashboardModel;
  /** State of the dashboard from which the draft began, for `If-Match`. */
  readonly basedOn: string;
  /** Leads from the contents back to those of the dashboard in that state. */
  readonly inverse: Change;
  /** The steps that can be undone, the oldest first, and those that can be done again, the next one last. */
  readonly done: readonly EditStep[];
  readonly undone: readonly EditStep[];
}

export interface StoredDraft extends DraftRecord {
  readonly contents: DraftContents;
  /** Time of its last change, as the service says it. */
  readonly changedAt: string;
}

/** Number of steps and characters of steps that a draft holds. */
const maxSteps = 1000;
const maxStepsLength = 1_900_000;

const stepFrom = (value: Json): { readonly step: EditStep; readonly isUndone: boolean } => {
  const { label, change, inverse, at, undone } = objectOr(value);
  return {
    step: {
      label: textOr(label, ''),
      change: readChange(change ?? null),
      inverse: readChange(inverse ?? null),
      at: textOr(at, ''),
    },
    isUndone: undone === true,
  };
};

/**
 * Loads the draft that the person who edits has of a dashboard; null if there is none. Raises Failure, and ChangeError
 * if its steps have another form.
 */
export async function loadDraft(transport: Transport, dashboardId: string): Promise<StoredDraft | null> {
  const where = { securable_id: dashboardId, state: 'draft' };
  const found = await transport.call('dashboardversion', { action: 'get', find: { where, attributes: ['id'] } });
  const id = filledText(objectOr(listOr(objectOr(found)['rows'])[0])['id']);
  if (id === null) return null;
  const answer = await transport.file('dashboardversion', { action: 'get', id });
  const text = await answer.text();
  const record = objectOr(JSON.parse(text));
  const steps = listOr(record['steps']).map(stepFrom);
  return {
    id,
    etag: answer.headers.get('etag') ?? '',
    changedAt: textOr(record['updated_at'], ''),
    contents: {
      model: DashboardModel.read(JsonText.read(text).at(['contents']) ?? '{}'),
      basedOn: textOr(record['based_on'], ''),
      inverse: readChange(record['inverse'] ?? []),
      done: steps.filter(({ isUndone }) => !isUndone).map(({ step }) => step),
      undone: steps.filter(({ isUndone }) => isUndone).map(({ step }) => step),
    },
  };
}

/** Returns the steps as JSON, without the oldest ones if there are more than a draft holds. */
function stepsText({ done, undone }: DraftContents): string {
  const texts = [
    ...done.map((step) => JSON.stringify({ ...step, undone: false })),
    ...undone.map((step) => JSON.stringify({ ...step, undone: true })),
  ].slice(-maxSteps);
  let length = texts.reduce((sum, text) => sum + text.length + 1, 2);
  const first = texts.findIndex((text, index) => {
    if (index === 0 && length <= maxStepsLength) return true;
    length -= text.length + 1;
    return length <= maxStepsLength;
  });
  return `[${texts.slice(first <= 0 ? 0 : first + 1).join(',')}]`;
}

/**
 * Creates or updates a draft. Raises Failure: 400 `draft_exists` or 409 `precondition_failed` if another page of the
 * same person has stored one, and 404 if the draft is gone.
 */
export async function storeDraft(
  transport: Transport,
  dashboardId: string,
  record: DraftRecord | null,
  contents: DraftContents,
): Promise<DraftRecord> {
  const { model, basedOn, inverse } = contents;
  // The contents go as they are written: parsed ones would lose digits.
  const properties = `"contents":${model.text},"based_on":${JSON.stringify(basedOn)},"inverse":${JSON.stringify(inverse)},"steps":${stepsText(contents)}`;
  const of = JSON.stringify(dashboardId);
  const answer =
    record === null
      ? await transport.file(
          'dashboardversion',
          `{"action":"create","properties":{"securable_id":${of},${properties}}}`,
        )
      : await transport.file(
          'dashboardversion',
          `{"action":"update","id":${JSON.stringify(record.id)},"properties":{${properties}}}`,
          undefined,
          { 'if-match': record.etag },
        );
  const stored: Json = await answer.json();
  return { id: inWords(objectOr(stored)['id'] ?? null), etag: answer.headers.get('etag') ?? '' };
}

/** Deletes a draft. It is no failure if it is gone already. Raises Failure. */
export async function deleteDraft(transport: Transport, { id }: DraftRecord): Promise<void> {
  try {
    await transport.call('dashboardversion', { action: 'delete', id });
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 404) throw error;
  }
}
