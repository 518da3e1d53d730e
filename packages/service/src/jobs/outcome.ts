import { timestamp } from '@inlay/contract';
import type { ClaimedJob, JobError, JobOutcome, TaskResult } from '../commands/job.ts';
import { catalogue } from '../problems/catalogue.ts';
import { NoFreePlace, Problem } from '../problems/problem.ts';
import { JobTimeout } from './attempt.ts';
import { backoffMs, placeWaitMs } from './backoff.ts';
import type { JobType } from './job.ts';

function errorOf(error: unknown): JobError {
  if (error instanceof Problem) {
    const { code, message, validation } = error.data;
    return { code, message, ...(validation === undefined ? {} : { validation }) };
  }
  if (error instanceof JobTimeout) return { code: 'deadline_passed', message: catalogue.deadline_passed.message };
  return { code: 'internal', message: catalogue.internal.message };
}

/** True if the next attempt may succeed. A refusal or a timeout would only occur again. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof JobTimeout) && !(error instanceof Problem && catalogue[error.data.code].status < 500);

/** Determines the outcome of an attempt. `result` is null if the job returns to the queue. */
export function outcomeOf(
  { everyMs, maxAttempts }: JobType,
  { attempt }: ClaimedJob,
  result: PromiseSettledResult<TaskResult | null> | null,
  nowMs: number,
  random: () => number,
): JobOutcome {
  if (result === null) return { kind: 'released' };
  const nextAt = everyMs === undefined ? null : timestamp(nowMs + everyMs);
  if (result.status === 'fulfilled') return { kind: 'completed', dueAt: nextAt, result: result.value };
  const { reason } = result;
  if (reason instanceof NoFreePlace)
    return { kind: 'postponed', dueAt: timestamp(nowMs + placeWaitMs(reason.retryAfterS, random)) };
  const error = errorOf(reason);
  if (attempt < maxAttempts && mayPass(reason))
    return { kind: 'retry', dueAt: timestamp(nowMs + backoffMs(attempt, random)), error };
  return nextAt === null ? { kind: 'dead', error } : { kind: 'skipped', dueAt: nextAt, error };
}
