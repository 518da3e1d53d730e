import { apply, invert, type Change, type DashboardModel } from '@inlay/contract/change';

/** A step that can be undone. */
export interface EditStep {
  /** What the step did, in the words of the person who takes it back, such as `Moved Revenue`. */
  readonly label: string;
  readonly change: Change;
  readonly inverse: Change;
  /** Time at which it was taken, such as `2026-07-01T09:30:00.000Z`. */
  readonly at: string;
}

/** Number of steps that can be undone. Older ones are dropped. */
export const maxSteps = 500;

const now = (): string => new Date().toISOString();

/** The contents of a dashboard while they are edited, and the steps that led to them. */
export class EditHistory {
  #model: DashboardModel;
  #done: readonly EditStep[];
  #undone: readonly EditStep[];

  /** Begins with contents, and with the steps that led to them before. */
  constructor(start: DashboardModel, done: readonly EditStep[] = [], undone: readonly EditStep[] = []) {
    this.#model = start;
    this.#done = done;
    this.#undone = undone;
  }

  get model(): DashboardModel {
    return this.#model;
  }

  /** The steps that can be undone, the oldest first. */
  get done(): readonly EditStep[] {
    return this.#done;
  }

  /** The steps that can be done again, the next one last. */
  get undone(): readonly EditStep[] {
    return this.#undone;
  }

  /** Carries out a change as one step. Raises ChangeError if it does not apply; nothing has changed then. */
  edit(label: string, change: Change): void {
    const inverse = invert(this.#model, change);
    this.#model = apply(this.#model, change);
    this.#done = [...this.#done, { label, change, inverse, at: now() }].slice(-maxSteps);
    this.#undone = [];
  }

  /**
   * Takes the last step back. Returns it, or null if there is none. Raises ChangeError if it does not apply any more,
   * because somebody else changed what it was about; the step is dropped then.
   */
  undo(): EditStep | null {
    const step = this.#done.at(-1);
    if (step === undefined) return null;
    this.#done = this.#done.slice(0, -1);
    this.#model = apply(this.#model, step.inverse);
    this.#undone = [...this.#undone, step];
    return step;
  }

  /** Does the step again that was undone last. Returns it, or null if there is none. Raises ChangeError as `undo` does. */
  redo(): EditStep | null {
    const step = this.#undone.at(-1);
    if (step === undefined) return null;
    const { label, change, at } = step;
    this.#undone = this.#undone.slice(0, -1);
    const inverse = invert(this.#model, change);
    this.#model = apply(this.#model, change);
    this.#done = [...this.#done, { label, change, inverse, at }];
    return step;
  }

  /** Carries out a change that is no step of this person, such as one that somebody else saved. Raises ChangeError. */
  merge(change: Change): void {
    this.#model = apply(this.#model, change);
  }
}
