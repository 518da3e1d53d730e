import type { JsonObject } from '@inlay/contract';
import type { CallerReference } from '../callers/caller-of.ts';
import type { ProblemData } from '../problems/problem.ts';
import type { StoredRecord } from '../resource/tables.ts';
import type { SsoCommand, SsoWritten } from './sso.ts';

/** One association to make or undo, as plain data. */
export interface LinkCommand {
  /** Where it stands in the request, for faults. */
  readonly at: string;
  readonly role: string;
  readonly targetId: string;
  readonly flags: Readonly<Record<string, boolean>>;
  readonly set: JsonObject;
}

/** What a write does, by operation. */
export type WriteInput =
  | {
      readonly kind: 'create';
      readonly set: JsonObject;
      readonly echoes: JsonObject;
      readonly links: readonly LinkCommand[];
    }
  | { readonly kind: 'update'; readonly id: string; readonly set: JsonObject; readonly echoes: JsonObject }
  | { readonly kind: 'delete'; readonly id: string; readonly set: JsonObject }
  | { readonly kind: 'associate' | 'dissociate'; readonly id: string; readonly link: LinkCommand };

/** How a write treats what is probably a mistake. specification/operations#validation */
export type WriteMode = 'strict' | 'validate';

/** One write of the API as plain data, so that it can cross to the thread that writes. */
export interface WriteCommand {
  readonly kind: 'write';
  readonly resource: string;
  /** Null where no credentials are needed. */
  readonly caller: CallerReference | null;
  /** What the store said lately about the authorization, where it was not asked before: the write is made on this alone. */
  readonly presumed?: string;
  readonly input: WriteInput;
  readonly fixed: JsonObject;
  /** What `prepare` of the resource gave. */
  readonly prepared: JsonObject;
  readonly ifMatch: string | null;
  /** `strict`: refused for what others are warned of; `validate`: that, and nothing is stored. */
  readonly mode?: WriteMode;
  /** Whether the record is larger than `largeRecord`, as sent or as stored: on SQLite the writing thread writes it. */
  readonly isLarge?: boolean;
  readonly idempotency: {
    readonly scope: string;
    readonly key: string;
    readonly fingerprint: string;
    readonly hours: number;
    /** An answer was kept before: nothing was prepared, and nothing is written should it be gone by now. */
    readonly repeats?: true;
  } | null;
}

/** A column as its source tells it: fields of the record, and how its values are kept. */
export interface FoundColumn {
  readonly fields: JsonObject;
  readonly kept: string;
  /** Rows without a value; null where there may be some that nobody counted. */
  readonly empty: number | null;
}

/** A dataset to make, with its columns. */
export interface NewDataset {
  readonly set: JsonObject;
  readonly columns: readonly FoundColumn[];
  /** About how many rows it has, where the source tells. */
  readonly rows: number | null;
  /** When its metadata is to be read again; null for never. */
  readonly dueAt: string | null;
}

/** Makes datasets from tables of a source, all or none. */
export interface DatasetsCommand extends Pick<WriteCommand, 'idempotency'> {
  readonly kind: 'datasets';
  readonly caller: CallerReference;
  readonly datasets: readonly NewDataset[];
  /** Lookups between them: their places in the list, and the names of the columns at the source. */
  readonly lookups: readonly NewLookup[];
}

export interface NewLookup {
  readonly from: number;
  readonly column: string;
  readonly to: number;
  readonly toColumn: string;
}

/** Who stores rows, and under which key. */
export interface RowsStorer extends Pick<WriteCommand, 'idempotency'> {
  readonly caller: CallerReference;
}

/** Makes a version of rows the one that is read, and the dataset with it where it is new. */
export interface RowsCommand extends RowsStorer {
  readonly kind: 'rows';
  /** Others who put rows into the same version of a dataset that is there: all of them may, or nothing is stored. */
  readonly others: readonly RowsStorer[];
  readonly securableId: string;
  readonly isNew: boolean;
  /** Fields of a new dataset. */
  readonly set: JsonObject;
  /** What the columns of its rows are. */
  readonly columns: readonly FoundColumn[];
  /** Whether columns are made and retired as the rows have them, or only those there are take on other types. */
  readonly follow: 'all' | 'types';
  readonly rows: number;
  readonly version: string;
  /** The version it is made on; refused as `rows_changed` where that is no longer the one that is read. */
  readonly before: string | null;
}

/** Everything the writer does. */
/** Most records of a kind that one `sweep` deletes: where it deletes as many, there may be more. */
export const sweepBatch = 1000;

export type Command =
  | WriteCommand
  | DatasetsCommand
  | RowsCommand
  | SsoCommand
  /** Notes what the service learnt about a record, where something else is stored. */
  | { readonly kind: 'note'; readonly resource: string; readonly id: string; readonly fields: JsonObject }
  /** Puts a version with the same rows in place of the one before, where that is still read; answers 1 where it was. */
  | { readonly kind: 'version'; readonly securableId: string; readonly before: string; readonly version: string }
  /** Takes a few datasets whose metadata is due, for one instance alone until `untilAt`; answers them. */
  | { readonly kind: 'claim'; readonly at: string; readonly untilAt: string; readonly most: number }
  /** Adds, changes and retires the columns of a dataset as its source has them now. */
  | {
      readonly kind: 'columns';
      readonly securableId: string;
      /** Null where the source was not read. */
      readonly columns: readonly FoundColumn[] | null;
      /** Whether it was tried. */
      readonly attempted: boolean;
      readonly dueAt: string | null;
    }
  /** Keeps what is about to be sent to an AI provider, at most `budget` times a day for an organization. */
  | {
      readonly kind: 'airequest';
      readonly organizationId: string;
      readonly fields: JsonObject;
      readonly budget: number;
    }
  /** Takes an Idempotency-Key for an answer that makes no record, keeps the answer, or gives the key back. */
  | {
      readonly kind: 'answer';
      readonly step: 'claim' | 'keep' | 'release';
      readonly kept: NonNullable<WriteCommand['idempotency']>;
      /** The answer to keep. */
      readonly text: string;
      /** A key taken longer ago than this, in milliseconds, and never answered is free again. */
      readonly lostAfterMs: number;
    }
  /** Notes when authorizations were last used. */
  | { readonly kind: 'touch'; readonly used: readonly { readonly id: string; readonly at: string }[] }
  /** Renews the lease of an instance. */
  | { readonly kind: 'lease'; readonly id: string; readonly version: string; readonly schema: number }
  /** Ends it. */
  | { readonly kind: 'lease end'; readonly id: string }
  /** Keeps files of the elements, compressed and in base64; drops those that no build has used since `usedBefore`. */
  | {
      readonly kind: 'elements';
      readonly added: readonly { readonly name: string; readonly body: string; readonly bytes: number }[];
      readonly used: readonly string[];
      readonly now: string;
      readonly usedBefore: string;
    }
  /** Mends columns that do not agree with their record, in a batch of records of a resource that come after an id. */
  | { readonly kind: 'repair'; readonly resource: string; readonly after: string; readonly batch: number }
  /** Makes the first organization, owner and key in an empty store; does nothing in another. */
  | { readonly kind: 'bootstrap'; readonly first: First }
  /** Makes an organization with an owner, for the operator. */
  | { readonly kind: 'organization'; readonly first: First }
  /** Makes a person of an organization, for the operator. */
  | { readonly kind: 'person'; readonly organizationId: string; readonly person: Person }
  /** Makes one person owner of all that another owns and deletes the other, for the operator; answers how many records that are. */
  | { readonly kind: 'transfer'; readonly fromId: string; readonly toId: string; readonly keepsUser: boolean }
  /** Opens the page of a share: makes a token for what it shows, for a few minutes. */
  | { readonly kind: 'share'; readonly slug: string; readonly atMs: number }
  /** Makes a key current, then seals a batch of rows again with it; answers how many rows it moved. */
  | { readonly kind: 'rotate'; readonly keyId: string; readonly batch: number }
  /** Forgets kept answers, logins that have ended and, before a moment in milliseconds, what was sent to an AI provider. */
  | {
      readonly kind: 'sweep';
      readonly answersBefore: string;
      readonly loginsBefore: string;
      readonly requestsBeforeMs: number;
    };

export interface Person {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly level: number;
}

export interface First {
  readonly organizationName: string;
  readonly owner: Person;
  readonly key: string | null;
  readonly tokenHash: string;
}

/** A dashboard as the page of a share shows it. */
export interface SharedDashboard {
  readonly dashboardId: string;
  /** In every language it has. */
  readonly name: JsonObject;
  readonly key: string;
  readonly token: string;
}

/** Whether an answer is that of an earlier request with the same Idempotency-Key. */
interface Replayable {
  readonly replayed?: true;
}

/** What a write answers. */
export type WriteResult =
  | ({
      readonly kind: 'record';
      readonly stored: StoredRecord;
      readonly carried: JsonObject;
      readonly shown: JsonObject;
    } & Replayable)
  /** Several records that one request made. */
  | ({ readonly kind: 'records'; readonly stored: readonly StoredRecord[] } & Replayable)
  | ({ readonly kind: 'deleted' } & Replayable)
  /** What there is for an Idempotency-Key; `text` is the answer where it is kept. */
  | { readonly kind: 'answer'; readonly state: 'mine' | 'busy' | 'kept'; readonly text: string }
  | SsoWritten
  | { readonly kind: 'shared'; readonly shared: SharedDashboard }
  | { readonly kind: 'problem'; readonly problem: ProblemData }
  /** Checked, and nothing was stored. */
  | { readonly kind: 'validated' }
  /** Nothing was done, for the caller is not who was presumed. */
  | { readonly kind: 'misjudged' }
  | { readonly kind: 'done'; readonly count: number; readonly id: string | null };
