/** Limit of records of each kind deleted by one `sweep`. A sweep that reaches the limit may have left some. */
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

/** Updates the time of last use of authorizations. */
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
 * Stores files of the elements, compressed and base64-encoded, and deletes those that no build has used since
 * `usedBefore`.
 */
export interface ElementsCommand {
  readonly kind: 'elements';
  readonly added: readonly { readonly name: string; readonly body: string; readonly bytes: number }[];
  readonly used: readonly string[];
  readonly now: string;
  readonly usedBefore: string;
}

/** Repairs columns that differ from the JSON of their record, in the next batch of a resource after an id. */
export interface RepairCommand {
  readonly kind: 'repair';
  readonly resource: string;
  readonly after: string;
  readonly batch: number;
}

/** Makes an encryption key current and re-encrypts a batch of rows with it; returns the number of rows. */
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
