import type { TenantTurns } from '../../concurrency/tenant-turns.ts';
import { render } from '../sql.ts';
import { SnapshotLost, StoreUnavailable, type Reader, type Snapshots } from '../store.ts';
import { postgresDialect } from './dialect.ts';
import { longReadError } from './errors.ts';
import type { Link } from './link.ts';
import type { LinkPool } from './link-pool.ts';
import { begin, undo, type Session, type TransactionLimits } from './transaction.ts';

const beginSnapshot = 'begin isolation level repeatable read read only';

export interface SnapshotLinks {
  /** Lends links for transactions of short reads. */
  readonly short: LinkPool<Link>;
  /** Lends links for searches, in turns. */
  readonly search: LinkPool<Link>;
  readonly turns: TenantTurns;
  readonly limits: () => TransactionLimits;
}

/** Does work whose reads share a transaction on a link that it takes when it first reads and gives back after the end. */
async function readTogether<Result>(
  pool: LinkPool<Link>,
  limits: TransactionLimits,
  work: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const start = async (): Promise<{ link: Link; session: Session }> => {
    const link = await pool.take();
    return { link, session: begin(link, limits, beginSnapshot) };
  };
  let started: ReturnType<typeof start> | undefined;
  const rows: Reader['rows'] = async (statement) => {
    // The link may be lent to somebody else by now.
    if (isOver) throw new StoreUnavailable('the snapshot has ended');
    const text = render(statement, 'dollar');
    started ??= start();
    const { session } = await started;
    try {
      return (await session.send(text, statement.values, limits.prepares(text))).rows;
    } catch (error) {
      throw longReadError(error);
    }
  };
  try {
    return await work({ dialect: postgresDialect, rows });
  } finally {
    isOver = true;
    // The answer does not wait for the end of what was only read.
    void started?.then(
      ({ link, session }) => undo(session, link).finally(() => pool.give(link)),
      () => undefined,
    );
  }
}

/** Near: a transaction on a link for writes. Apart: one on a link for searches. */
export const createSnapshots = ({ short, search, turns, limits }: SnapshotLinks): Snapshots => ({
  near: (work) =>
    readTogether(short, limits(), (reader) =>
      work({
        ...reader,
        long: { rows: () => Promise.reject(new SnapshotLost('the read is too long for this link')), atOnce: null },
      }),
    ),
  apart: (tenant, work) => turns.run(tenant, () => readTogether(search, limits(), work)),
});
