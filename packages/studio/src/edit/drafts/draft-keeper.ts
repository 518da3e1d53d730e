import { Failure, type Transport } from '@inlay/client/transport';
import { deleteDraft, storeDraft, type DraftContents, type DraftRecord } from './draft-record.ts';

/**
 * What has become of the latest edits: `none` without any, `waiting` until they are stored, `kept` by the service,
 * `failed` while it does not answer (they are sent again later), `elsewhere` if another page of the same person has
 * stored a newer draft, and `refused` if this person has no drafts. In the last two, this page stores no draft any more.
 */
export type DraftState = 'none' | 'waiting' | 'kept' | 'failed' | 'elsewhere' | 'refused';

/** Milliseconds after an edit, and after the first edit that is not stored, at which the draft is stored. */
const quietMs = 800;
const longestMs = 5_000;
/** Milliseconds until a store that failed is tried again: the first time, and at most. */
const retryMs = { first: 4_000, most: 60_000 } as const;

/** Stores the draft of a dashboard on the service while it is edited, one request at a time. */
export class DraftKeeper {
  readonly #dashboardId: string;
  readonly #transport: () => Transport;
  readonly #contents: () => DraftContents;
  readonly #told: () => void;
  #record: DraftRecord | null;
  #state: DraftState;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitingSince: number | null = null;
  #failures = 0;
  #running: Promise<void> | null = null;

  /**
   * @param transport Returns the transport with the credential of now.
   * @param contents Returns what the draft holds now.
   * @param told Called when `state` has changed.
   * @param record The draft that there is; null if there is none, `refused` if this person has none.
   */
  constructor(
    dashboardId: string,
    transport: () => Transport,
    contents: () => DraftContents,
    told: () => void,
    record: DraftRecord | 'refused' | 'elsewhere' | null,
  ) {
    this.#dashboardId = dashboardId;
    this.#transport = transport;
    this.#contents = contents;
    this.#told = told;
    const isRecord = record !== null && typeof record !== 'string';
    this.#record = isRecord ? record : null;
    this.#state = isRecord ? 'kept' : (record ?? 'none');
  }

  get state(): DraftState {
    return this.#state;
  }

  /** True while this page stores drafts. */
  get isActive(): boolean {
    return this.#state !== 'elsewhere' && this.#state !== 'refused';
  }

  /** Stores the draft soon, since it has changed. */
  note(): void {
    if (!this.isActive) return;
    const now = Date.now();
    this.#waitingSince ??= now;
    this.#become('waiting');
    this.#schedule(Math.min(quietMs, Math.max(0, this.#waitingSince + longestMs - now)));
  }

  /** Stores the draft now if it has changed. Resolves once that has ended, well or not. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#running !== null) await this.#running;
    if (this.#waitingSince === null || !this.isActive) return;
    this.#running = this.#store();
    await this.#running;
  }

  /** Deletes the draft. Raises Failure; the draft is kept then. */
  async drop(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#running !== null) await this.#running;
    this.#waitingSince = null;
    if (this.#record !== null) await deleteDraft(this.#transport(), this.#record);
    this.#record = null;
    if (this.isActive) this.#become('none');
  }

  /** Stores nothing any more, such as when the page has opened another dashboard. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#waitingSince = null;
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  async #store(): Promise<void> {
    const since = this.#waitingSince;
    this.#waitingSince = null;
    try {
      this.#record = await storeDraft(this.#transport(), this.#dashboardId, this.#record, this.#contents());
      this.#failures = 0;
      this.#become(this.#waitingSince === null ? 'kept' : 'waiting');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#failed(error, since);
    } finally {
      this.#running = null;
    }
  }

  #failed({ code, status }: Failure, since: number | null): void {
    if (code === 'draft_exists' || code === 'precondition_failed') return this.#become('elsewhere');
    // Another page of the same person has published or discarded it.
    if (status === 404 && this.#record !== null) return this.#become('elsewhere');
    if (status === 400 || status === 403 || status === 404 || status === 413) return this.#become('refused');
    this.#waitingSince ??= since;
    this.#failures += 1;
    this.#become('failed');
    this.#schedule(Math.min(retryMs.most, retryMs.first * 2 ** (this.#failures - 1)));
  }

  #become(state: DraftState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#told();
  }
}
