/**
 * Maximum number of records of each kind that one `sweep` deletes. If a sweep reaches it, expired records may remain.
 */
export const sweepBatch = 1000;

/** Deletes expired answers, ended logins, orphaned records, old AI requests and ended tasks. */
export interface SweepCommand {
  readonly kind: 'sweep';
  readonly answersBefore: string;
  readonly loginsBefore: string;
  /** Milliseconds since the epoch. */
  readonly requestsBeforeMs: number;
  readonly tasksBefore: string;
}

/** Updates the time at which authorizations were last used. */
export interface TouchCommand {
  readonly kind: 'touch';
  readonly used: readonly { readonly id: string; readonly at: string }[];
}

/** Renews the lease of an instance. */
export interface LeaseCommand {
  readonly kind: 'lease';
  readonly id: string;
  readonly version: string;
  readonly schema: number;
}

/** Ends the lease of an instance. */
export interface LeaseEndCommand {
  readonly kind: 'lease end';
  readonly id: string;
}

/**
 * Stores files of the elements, compressed and base64-encoded. Deletes files that no build has used since `usedBefore`.
 */
export interface ElementsCommand {
  readonly kind: 'elements';
  readonly added: readonly { readonly name: string; readonly body: string; readonly bytes: number }[];
  readonly used: readonly string[];
  readonly now: string;
  readonly usedBefore: string;
}

/**
 * Repairs columns that differ from the JSON of their record. Handles a batch of a resource's records, in id order after
 * `after`.
 */
export interface RepairCommand {
  readonly kind: 'repair';
  readonly resource: string;
  readonly after: string;
  readonly batch: number;
}

/** Makes an encryption key current and re-encrypts a batch of rows with it. Returns the number of rows. */
export interface RotateCommand {
  readonly kind: 'rotate';
  readonly keyId: string;
  readonly batch: number;
}

export interface UpkeepCommands {
  readonly sweep: SweepCommand;
  readonly touch: TouchCommand;
  readonly lease: LeaseCommand;
  readonly 'lease end': LeaseEndCommand;
  readonly elements: ElementsCommand;
  readonly repair: RepairCommand;
  readonly rotate: RotateCommand;
}
