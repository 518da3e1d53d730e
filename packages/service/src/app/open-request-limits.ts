import { resolve } from 'node:path';
import { openBodies, type Bodies } from '../body/open.ts';
import { createBudget, type Budget } from '../concurrency/byte-budget.ts';
import { createCounter } from '../concurrency/release.ts';
import type { Config } from '../config/config.ts';
import { createAcceptedCredentials } from '../http/limits/accepted-credentials.ts';
import { createRateLimit } from '../http/limits/rate-limit.ts';
import { createSlowReaders } from '../http/limits/slow-readers.ts';
import { OpenRequests } from '../http/open-requests.ts';
import type { ServerParts, Traffic } from '../http/parts.ts';
import type { Component } from './component.ts';
import type { Platform } from './open-platform.ts';

const megabyte = 1024 * 1024;

type ServerLimits = Pick<
  ServerParts,
  | 'traffic'
  | 'unknownSenders'
  | 'acceptedCredentials'
  | 'bodies'
  | 'slowReaders'
  | 'openRequests'
  | 'tokens'
  | 'logins'
  | 'isServing'
>;

/** Rate limits of requests, and memory budgets for their bodies and answers. */
export interface RequestLimits extends Component, ServerLimits {
  /** Memory for large answers, shared by organizations. */
  readonly answers: Budget;
  stopServing(): void;
}

const openAnswers = ({ answerMb }: Config): Budget =>
  createBudget({
    totalBytes: 2 * answerMb * megabyte,
    ownerBytes: answerMb * megabyte,
    waitMs: 10_000,
    message: 'Too many large answers are being sent. Try again after Retry-After.',
  });

const bodiesOf = ({ config, logger }: Platform): Bodies =>
  openBodies({
    folder: resolve(config.dataDir, 'work', 'bodies'),
    totalBytes: config.bodiesMb * megabyte,
    addressBytes: config.bodiesPerAddressMb * megabyte,
    failed: (reason) => logger.warn({ reason }, 'a body was not read'),
  });

/** Creates the limits of requests. The store also reads the counter `traffic`. */
export function openRequestLimits(platform: Platform, traffic: Traffic = { inFlight: 0 }): RequestLimits {
  const { config, clock } = platform;
  const answers = openAnswers(config);
  const bodies = bodiesOf(platform);
  const slowReaders = createSlowReaders({ bytesPerS: 65_536, graceS: 30, tickMs: 1000 });
  const unknownSenders = createCounter();
  let isServing = true;
  return {
    traffic,
    unknownSenders,
    acceptedCredentials: createAcceptedCredentials(clock),
    bodies,
    answers,
    slowReaders,
    openRequests: new OpenRequests(),
    tokens: createRateLimit(config.rateLimit, config.rateBurst, clock),
    logins: createRateLimit(config.loginRateLimit / 60, Math.max(1, config.loginRateLimit), clock),
    isServing: () => isServing,
    stopServing: () => {
      isServing = false;
    },
    gauges: {
      inlay_requests_in_flight: () => traffic.inFlight,
      inlay_requests_unknown_sender: () => unknownSenders.total(),
      inlay_bodies_reading: () => bodies.pace.count(),
      inlay_bodies_reserved_bytes: () => bodies.room.known.reserved() + bodies.room.unknown.reserved(),
      inlay_bodies_waiting: () => bodies.room.known.waiting() + bodies.room.unknown.waiting(),
      inlay_bodies_on_disk: () => bodies.spool.count(),
      inlay_bodies_work: () => bodies.thread.count(),
      inlay_answers_reserved_bytes: () => answers.reserved(),
      inlay_answers_waiting: () => answers.waiting(),
      inlay_answers_sending: () => slowReaders.count(),
    },
    close: async () => {
      slowReaders.close();
      await bodies.close();
    },
  };
}
