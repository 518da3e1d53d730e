import type { Outbound } from '../outbound/index.ts';
import { addressOf } from './address.ts';
import type { ConnectionParams } from './connector.ts';
import { networkFailure } from './failure/network.ts';
import { interruptible } from './interruptible.ts';
import type { Links } from './links.ts';
import type { SourceProblem } from './problem.ts';
import { databaseProperties } from './properties.ts';

const metadataMs = 15_000;

/** How to begin and end a read-only transaction on a session. */
export interface ReadingKind<Link> {
  begin(this: void, link: Link, deadline: number): Promise<unknown>;
  end(this: void, link: Link): Promise<unknown>;
  explain(this: void, error: unknown): SourceProblem;
}

/**
 * Runs an operation in a read-only transaction on a leased session. The time limit is 15 seconds. Raises SourceProblem.
 */
export type ReadTransaction<Link> = <Result>(
  params: ConnectionParams,
  signal: AbortSignal,
  work: (link: Link) => Promise<Result>,
  explain?: (error: unknown) => SourceProblem,
) => Promise<Result>;

export function reader<Link extends { cancel(): Promise<void> }>(
  links: Links<Link>,
  { begin, end, explain: usualExplain }: ReadingKind<Link>,
): ReadTransaction<Link> {
  return async (params, signal, work, explain = usualExplain) => {
    const deadline = Date.now() + metadataMs;
    const { link, release } = await links.lease(params, metadataMs, signal);
    const readOnce = async () => {
      await begin(link, deadline);
      const result = await work(link);
      await end(link);
      return result;
    };
    let isSound = false;
    let isInterrupted = false;
    const interrupt = (): void => {
      isInterrupted = true;
      void link.cancel().finally(() => release(false));
    };
    try {
      const result = await interruptible(readOnce(), { deadline, signal, interrupt });
      isSound = true;
      return result;
    } catch (error) {
      throw explain(error);
    } finally {
      if (!isInterrupted) release(isSound);
    }
  };
}

/** Raises SourceProblem unless the account's host accepts connections at its port. */
export async function reachable(
  outbound: Outbound,
  provider: 'postgresql' | 'mysql',
  params: ConnectionParams,
  usualPort: number,
  signal: AbortSignal,
): Promise<void> {
  const { host, port } = addressOf(params, usualPort);
  const { connectTimeoutMs } = databaseProperties(provider, params.properties);
  try {
    (await outbound.connect(host, port, { deadlineMs: connectTimeoutMs, signal })).destroy();
  } catch (error) {
    throw networkFailure(error);
  }
}
