import { filledText } from '@inlay/contract';
import type { ConnectionParams, SourceAnswer, SourceRows } from '../../connectors/connector.ts';
import { SourceProblem } from '../../connectors/problem.ts';
import { providerOf } from '../../connectors/providers.ts';
import type { Recorder } from '../../metrics/metrics.ts';
import type { RequestTrace, Span } from '../../tracing/trace.ts';
import { outcomeOf } from '../problems.ts';
import type { ResolvedAccount } from '../resolve-account.ts';
import type { RowSource } from '../sources.ts';

/** Returns the metric label for the provider of an account: the name of a built-in provider, or `plugin`. */
export const providerLabel = ({ account: { record } }: ResolvedAccount): string =>
  providerOf(filledText(record['provider']))?.name ?? 'plugin';

/** Dependencies for requests to a source. */
export interface SourceAsking {
  /** Called after a request; `accepted` is true if the source accepted the credentials. */
  readonly credentials: (resolved: ResolvedAccount, accepted: boolean) => void;
  readonly recorder: Recorder;
}

/**
 * Runs a request at a source, and reports whether the source accepted the credentials. If the request fails, ends the
 * span.
 */
async function ask<Given>(
  { credentials, recorder }: SourceAsking,
  resolvedAccount: ResolvedAccount,
  span: Span,
  work: (params: ConnectionParams) => Promise<Given>,
): Promise<Given> {
  const { traceparent } = span;
  try {
    const result = await work(
      traceparent === null ? resolvedAccount.params : { ...resolvedAccount.params, traceparent },
    );
    recorder.count('inlay_source_requests_total', { provider: providerLabel(resolvedAccount), outcome: 'ok' });
    credentials(resolvedAccount, true);
    return result;
  } catch (error) {
    const outcome = error instanceof SourceProblem ? error.cause : 'aborted';
    recorder.count('inlay_source_requests_total', { provider: providerLabel(resolvedAccount), outcome });
    if (error instanceof SourceProblem && error.cause === 'credentials') credentials(resolvedAccount, false);
    span.end({ problem: outcome });
    throw error;
  }
}

const sourceSpan = ({ span }: RequestTrace, resolvedAccount: ResolvedAccount): Span =>
  span.begin('source', { provider: providerLabel(resolvedAccount) });

/** Runs work at a source and reports whether the source accepted the credentials. */
export async function atSource<Given>(
  sourceAsking: SourceAsking,
  resolvedAccount: ResolvedAccount,
  trace: RequestTrace,
  work: (params: ConnectionParams) => Promise<Given>,
): Promise<Given> {
  const span = sourceSpan(trace, resolvedAccount);
  const result = await ask(sourceAsking, resolvedAccount, span, work);
  span.end();
  return result;
}

/** Like `atSource`, but for reading rows: the span ends after the last row. */
export async function rowsAtSource<Given extends SourceAnswer>(
  sourceAsking: SourceAsking,
  resolvedAccount: ResolvedAccount,
  trace: RequestTrace,
  work: (params: ConnectionParams) => Promise<Given>,
): Promise<Given> {
  const span = sourceSpan(trace, resolvedAccount);
  const answer = await ask(sourceAsking, resolvedAccount, span, work);
  async function* rows(): AsyncGenerator<SourceRows> {
    let count = 0;
    try {
      for await (const batch of answer.rows) {
        count += batch.length;
        yield batch;
      }
      span.end({ rows: count });
    } catch (error) {
      span.end({ problem: outcomeOf(error) });
      throw error;
    } finally {
      span.end({ rows: count });
    }
  }
  return { ...answer, rows: rows() };
}

/** Returns the texts of custom queries that statements for these sources contain. */
export const sourceTexts = (sources: Iterable<RowSource>): readonly string[] =>
  [...sources].flatMap((source) =>
    source.kind === 'sql' && 'query' in source.of ? [source.connector.checkQuery(source.of.query)] : [],
  );
