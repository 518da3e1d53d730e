import type {
  RunLimits,
  SourceAnswer,
  SourceColumn,
  SourceCopy,
  SourceFeatures,
  SourceLink,
  SourceStatement,
  SourceTable,
} from '../connector.ts';
import type { SourceProblem } from '../problem.ts';
import type { Encryption } from './encryption.ts';
import type { SessionKind, SessionLease } from './session-pool.ts';

/** What a session of a database must allow. */
export interface CancellableSession {
  readonly encryption: Encryption;
  /** Cancels the running statement at the server, and ends the session. */
  cancel(): Promise<void>;
}

/** How to work with one kind of database. All functions raise errors of the driver, which `failure` translates. */
export interface Driver<Session extends CancellableSession> extends SessionKind<Session> {
  readonly usualPort: number;
  /** Begins to read. In case the service cannot end it, the server ends it shortly after the deadline. */
  readonly begin: (session: Session, deadline: number) => Promise<unknown>;
  readonly end: (session: Session) => Promise<unknown>;
  /** Translates any error to a SourceProblem. */
  readonly failure: (error: unknown) => SourceProblem;
  /** Like `failure`, but if the SQL of a custom query is at fault, quotes the message of the database. */
  readonly queryFailure: (error: unknown) => SourceProblem;
  readonly features: (session: Session) => Promise<SourceFeatures>;
  readonly listTables: (session: Session) => Promise<readonly SourceTable[]>;
  readonly describeTable: (session: Session, table: string) => Promise<readonly SourceColumn[]>;
  /** Returns the columns of a checked query, without fetching its rows. */
  readonly describeQuery: (session: Session, sourceQuery: string) => Promise<readonly SourceColumn[]>;
  readonly listForeignKeys: (session: Session) => Promise<readonly SourceLink[]>;
  readonly mayWrite: (session: Session) => Promise<boolean>;
  /** Runs one statement, streams its rows, and releases the session at the end. Raises SourceProblem. */
  readonly run: (
    lease: SessionLease<Session>,
    statement: SourceStatement,
    limits: RunLimits,
    deadline: number,
    signal: AbortSignal,
  ) => Promise<SourceAnswer>;
  /** Copies all rows of a statement as CSV, and releases the session at the end; missing if `run` is the only way. */
  readonly copy?: (
    lease: SessionLease<Session>,
    statement: SourceStatement,
    deadline: number,
    signal: AbortSignal,
  ) => Promise<SourceCopy>;
}
