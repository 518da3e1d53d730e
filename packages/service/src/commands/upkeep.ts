/** Records of a kind that one `sweep` deletes at most: if it deletes as many, there may be more. */
export const sweepBatch = 1000;

/** Deletes stored answers, ended logins, records without their parent, old requests to an AI provider and tasks that have ended. */
export interface SweepCommand {
  readonly kind: 'sweep';
  readonly answersBefore: string;
  readonly loginsBefore: string;
  /** Milliseconds since 1970. */
  readonly requestsBeforeMs: number;
  readonly tasksBefore: string;
}

/** Notes when authorizations were last used. */
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

/** Stores files of the elements, compressed and in base64, and deletes those that no build has used since `usedBefore`. */
export interface ElementsCommand {
  readonly kind: 'elements';
  readonly added: readonly { readonly name: string; readonly body: string; readonly bytes: number }[];
  readonly used: readonly string[];
  readonly now: string;
  readonly usedBefore: string;
}

/** Corrects columns that differ from their record, in a batch of records of a resource after an id. */
export interface RepairCommand {
  readonly kind: 'repair';
  readonly resource: string;
  readonly after: string;
  readonly batch: number;
}

/** Makes a key current and seals a batch of rows with it; answers how many rows it sealed. */
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
