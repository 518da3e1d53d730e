import { Failure, type Transport } from '@inlay/client/transport';
import { objectIn, objectOr, type Json, type JsonObject } from '@inlay/contract';
import {
  apply,
  ChangeError,
  describe,
  diff,
  rebase,
  type Change,
  type Conflict,
  type DashboardModel,
} from '@inlay/contract/change';
import { DraftKeeper, type DraftState } from './drafts/draft-keeper.ts';
import { loadDraft, type DraftContents, type StoredDraft } from './drafts/draft-record.ts';
import { TypeSwitches } from './type-switches.ts';
import { transportOf, type PageAccess } from './page-access.ts';
import { EditHistory, type EditStep } from './edit-history.ts';
import { loadStored, storeContents, type StoredDashboard } from './stored-dashboard.ts';

/** An edit that conflicts with one that somebody else saved. */
export interface EditConflict {
  /** What this person did, and what the other one did, in words. */
  readonly ours: string;
  readonly theirs: string;
}

/** Whose edit holds where both changed the same part. */
export type ConflictChoice = 'ours' | 'theirs';

/** How an attempt to save ended. With conflicts, nothing is saved until `resolve` is called. */
export type SaveOutcome =
  | { readonly kind: 'unchanged' | 'saved' }
  | { readonly kind: 'merged'; readonly theirs: string }
  | { readonly kind: 'conflicts'; readonly conflicts: readonly EditConflict[] };

/** A draft with which a session began. */
export interface ResumedDraft {
  /** Time of its last change, as the service says it. */
  readonly changedAt: string;
  /** What somebody else had saved since, and was merged, in words; null if nothing was. */
  readonly theirs: string | null;
  /** True if somebody else had saved what the draft changes too; that is asked about when it is saved. */
  readonly conflicts: boolean;
}

/** The draft that a person has; why there is none otherwise. */
type FoundDraft = StoredDraft | 'refused' | 'elsewhere' | null;

interface OpenConflicts {
  readonly newest: StoredDashboard;
  readonly ours: Change;
  readonly conflicts: readonly Conflict[];
}

/** Maximum number of attempts to save while other people keep saving. */
const maxAttempts = 5;

/**
 * Holds a dashboard that is being edited: the edited contents, the undo history, and the stored version on which they
 * are based. Dispatches `change` when any of these changes.
 */
export class EditSession extends EventTarget {
  /** The types that items had while they were edited. */
  readonly switches = new TypeSwitches();
  #transport: Transport;
  readonly #locale: () => string;
  #access: PageAccess;
  readonly #columnName: (columnId: string) => string;
  #stored: StoredDashboard;
  #history: EditHistory;
  #start: DashboardModel;
  #compared: { readonly model: DashboardModel; readonly start: DashboardModel; readonly isChanged: boolean } | null =
    null;
  #open: OpenConflicts | null = null;
  #isSaving = false;
  #keeper: DraftKeeper;
  #resumed: ResumedDraft | null = null;

  private constructor(
    access: PageAccess,
    transport: Transport,
    stored: StoredDashboard,
    draft: FoundDraft,
    { locale, columnName }: { readonly locale: () => string; readonly columnName: (columnId: string) => string },
  ) {
    super();
    this.#access = access;
    this.#transport = transport;
    this.#locale = locale;
    this.#columnName = columnName;
    this.#stored = stored;
    this.#start = editable(stored.model);
    this.#history = new EditHistory(this.#start);
    const record = draft === null || typeof draft === 'string' || this.#resume(draft) ? draft : 'elsewhere';
    this.#keeper = new DraftKeeper(
      stored.id,
      () => this.#transport,
      () => this.#draft(),
      () => this.#tell(),
      record,
    );
    if (typeof this.#resumed?.theirs === 'string') this.#keeper.note();
  }

  /**
   * Opens a stored dashboard, with the draft that the person has of it. `locale` returns the language of the labels of
   * steps. Without `keepsDraft`, drafts are neither read nor stored. `columnName` returns what they call a column without a label;
   * empty if it is not known. Raises Failure.
   */
  static async open(
    access: PageAccess,
    id: string,
    locale: () => string,
    {
      keepsDraft = true,
      columnName = () => '',
    }: { readonly keepsDraft?: boolean; readonly columnName?: (columnId: string) => string } = {},
  ): Promise<EditSession> {
    const transport = transportOf(access);
    const [stored, draft] = await Promise.all([
      loadStored(transport, id),
      keepsDraft ? findDraft(transport, id) : Promise.resolve<FoundDraft>('refused'),
    ]);
    return new EditSession(access, transport, stored, draft, { locale, columnName });
  }

  /** What has become of the draft with the latest edits. */
  get draftState(): DraftState {
    return this.#keeper.state;
  }

  /** The draft with which the session began; null if there was none with edits that are not saved. */
  get resumed(): ResumedDraft | null {
    return this.#resumed;
  }

  /** Stores the draft now if it has changed. Resolves once that has ended, well or not. */
  async keepDraft(): Promise<void> {
    await this.#keeper.flush();
  }

  /** Stores the latest edits as a draft and ends that, such as when the page shows another dashboard. */
  async close(): Promise<void> {
    await this.#keeper.flush();
    this.#keeper.stop();
  }

  get id(): string {
    return this.#stored.id;
  }

  get transport(): Transport {
    return this.#transport;
  }

  get access(): PageAccess {
    return this.#access;
  }

  /** Sends later requests with another credential. The edits stay. */
  set access(access: PageAccess) {
    this.#access = access;
    this.#transport = transportOf(access);
  }

  /** True while `resolve` can be called. Any further edit ends that; the next save finds the conflicts again. */
  get hasConflicts(): boolean {
    return this.#open !== null;
  }

  get stored(): StoredDashboard {
    return this.#stored;
  }

  get model(): DashboardModel {
    return this.#history.model;
  }

  get done(): readonly EditStep[] {
    return this.#history.done;
  }

  get undone(): readonly EditStep[] {
    return this.#history.undone;
  }

  get isSaving(): boolean {
    return this.#isSaving;
  }

  /** The stored contents, with the ids that are saved with the next edit. */
  get start(): DashboardModel {
    return this.#start;
  }

  /** True if there is something to save. */
  get isChanged(): boolean {
    const { model } = this;
    if (this.#compared?.model !== model || this.#compared.start !== this.#start)
      this.#compared = { model, start: this.#start, isChanged: diff(this.#start, model).length > 0 };
    return this.#compared.isChanged;
  }

  /**
   * Carries out a change. The label of the step is a sentence about it by default. Raises ChangeError; nothing has
   * changed then.
   */
  edit(change: Change, label?: string): void {
    if (change.length === 0) return;
    this.#history.edit(label ?? this.#describe(change, this.model), change);
    this.#open = null;
    this.#keeper.note();
    this.#tell();
  }

  undo(): EditStep | null {
    return this.#told(this.#history.undo());
  }

  redo(): EditStep | null {
    return this.#told(this.#history.redo());
  }

  /** Returns contents with the defaults that columns provide for slots filled in. Raises Failure. */
  async shownContents(model: DashboardModel): Promise<JsonObject> {
    const body = `{"action":"get","find":{"dashboard_id":${JSON.stringify(this.id)},"contents":${model.text}}}`;
    const answer: Json = await (await this.#transport.file('appearance', body)).json();
    return objectIn(objectIn(objectOr(answer), 'dashboard'), 'contents');
  }

  /** Discards all edits and the draft, and shows what is stored now. Raises Failure. */
  async reload(): Promise<void> {
    const stored = await loadStored(this.#transport, this.id);
    await this.#keeper.drop();
    this.#keep(stored);
    this.#resumed = null;
    this.#history = new EditHistory(this.#start);
    this.#open = null;
    this.#tell();
  }

  /**
   * Saves the contents. If somebody else saved since, both edits are kept where they do not touch; where they do,
   * nothing is saved, and the conflicts are returned. Raises Failure.
   */
  async save(): Promise<SaveOutcome> {
    if (!this.isChanged) return { kind: 'unchanged' };
    this.#isSaving = true;
    this.#tell();
    try {
      return await this.#save(null);
    } finally {
      this.#isSaving = false;
      this.#tell();
    }
  }

  /**
   * Saves after conflicts, with one choice for each of them. If there was another edit since, saves like `save`. Raises
   * Failure.
   */
  async resolve(choices: readonly ConflictChoice[]): Promise<SaveOutcome> {
    const open = this.#open;
    if (open === null) return this.save();
    const kept = open.conflicts.flatMap(({ ours }, index) => (choices[index] === 'ours' ? [ours] : []));
    this.#mergeWith(open.newest, open.ours, kept);
    return this.save();
  }

  async #save(theirs: string | null): Promise<SaveOutcome> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#keep(await storeContents(this.#transport, this.#stored, this.model));
        this.#resumed = null;
        // The draft follows, with the steps that can still be undone.
        this.#keeper.note();
        void this.#keeper.flush();
        return theirs === null ? { kind: 'saved' } : { kind: 'merged', theirs };
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'precondition_failed' || attempt === maxAttempts) throw error;
      }
      const outcome = this.#meet(await loadStored(this.#transport, this.id));
      if (outcome.kind === 'conflicts') return outcome;
      theirs = outcome.theirs;
    }
  }

  /** Continues on top of what somebody else stored, unless both changed the same parts. */
  #meet(newest: StoredDashboard): Extract<SaveOutcome, { kind: 'merged' | 'conflicts' }> {
    const base = this.#start;
    const ours = diff(base, this.model);
    const theirChange = diff(base, editable(newest.model));
    const { change, conflicts } = rebase(base, ours, theirChange);
    if (conflicts.length > 0) {
      this.#open = { newest, ours: change, conflicts };
      return { kind: 'conflicts', conflicts: conflicts.map((conflict) => this.#inWords(base, conflict)) };
    }
    this.#mergeWith(newest, change, []);
    return { kind: 'merged', theirs: this.#describe(theirChange, base) };
  }

  /** Begins with a draft, on top of what is stored now. Returns false if the draft cannot be read. */
  #resume({ contents, changedAt }: StoredDraft): boolean {
    const newest = this.#stored;
    const { model, basedOn, inverse, done, undone } = contents;
    try {
      this.#start = apply(model, inverse);
    } catch (error) {
      if (!(error instanceof ChangeError)) throw error;
      return false;
    }
    this.#history = new EditHistory(model, done, undone);
    this.#stored = { ...newest, model: this.#start, etag: basedOn };
    if (basedOn === newest.etag) this.#stored = newest;
    const isEdited = this.isChanged;
    // Conflicts are asked about when the draft is saved: until then, it goes on from where it began.
    const outcome = basedOn === newest.etag ? null : this.#meet(newest);
    this.#open = null;
    if (isEdited)
      this.#resumed = {
        changedAt,
        theirs: outcome?.kind === 'merged' ? outcome.theirs : null,
        conflicts: outcome?.kind === 'conflicts',
      };
    return true;
  }

  #draft(): DraftContents {
    return {
      model: this.model,
      basedOn: this.#stored.etag,
      inverse: diff(this.model, this.#start),
      done: this.done,
      undone: this.undone,
    };
  }

  /**
   * Continues on top of the newest stored contents, with our rebased edits and those conflicting ones that the person
   * kept. The undo history stays.
   */
  #mergeWith(newest: StoredDashboard, ours: Change, kept: Change): void {
    const merged = kept.reduce(withOperation, apply(editable(newest.model), ours));
    this.#history.merge(diff(this.model, merged));
    this.#keep(newest);
    this.#open = null;
    this.#tell();
  }

  #keep(stored: StoredDashboard): void {
    this.#stored = stored;
    this.#start = editable(stored.model);
  }

  #describe(change: Change, model: DashboardModel): string {
    return describe(change, model, this.#locale(), this.#columnName);
  }

  #inWords(base: DashboardModel, { ours, theirs }: Conflict): EditConflict {
    const sentence = (change: Change): string => {
      try {
        return this.#describe(change, base);
      } catch (error) {
        if (!(error instanceof ChangeError)) throw error;
        return this.#describe([], base);
      }
    };
    return { ours: sentence([ours]), theirs: sentence(theirs) };
  }

  #told(step: EditStep | null): EditStep | null {
    if (step !== null) {
      this.#open = null;
      this.#keeper.note();
      this.#tell();
    }
    return step;
  }

  #tell(): void {
    this.dispatchEvent(new Event('change'));
  }
}

/** Finds the draft of the person. A dashboard opens without it if drafts cannot be read. */
async function findDraft(transport: Transport, id: string): Promise<FoundDraft> {
  try {
    return await loadDraft(transport, id);
  } catch (error) {
    if (error instanceof Failure && (error.status === 403 || error.status === 404)) return 'refused';
    if (error instanceof ChangeError) return 'elsewhere';
    // If there is one after all, the first store of another one is refused.
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** Returns contents whose items keep their addresses when they are moved. */
const editable = (model: DashboardModel): DashboardModel => model.withIds(['item']);

/** Returns a model after an operation; the same model if the part that it changes is gone. */
function withOperation(model: DashboardModel, operation: Change[number]): DashboardModel {
  try {
    return apply(model, [operation]);
  } catch (error) {
    if (!(error instanceof ChangeError)) throw error;
    return model;
  }
}
