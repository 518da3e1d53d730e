import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Bodies } from '../body/open.ts';
import type { Config } from '../config/config.ts';
import type { Demo } from '../demo/demo.ts';
import type { Service } from '../pipeline/service.ts';
import type { Counter } from '../concurrency/release.ts';
import type { SignOn } from '../sso/sign-on.ts';
import type { AcceptedCredentials } from './limits/accepted-credentials.ts';
import type { Limits } from './limits/admission.ts';
import type { ServeTaskFile } from '../tasks/serve-file.ts';
import type { Observations } from '../observations/observations.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { RequestTrace, Tracer } from '../tracing/trace.ts';
import type { OpenRequests } from './open-requests.ts';
import type { SlowReaders } from './limits/slow-readers.ts';

export const megabyte = 1024 * 1024;
/** Maximum body of an address without a resource. */
export const smallBodyBytes = 64 * 1024;

export interface Traffic {
  inFlight: number;
}

/** Dependencies of the HTTP server besides the service itself. */
export interface ServerParts extends Limits {
  readonly service: Service;
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly observations: Observations;
  readonly tracer: Tracer;
  /** Stored secrets that no available key opens; null if no key is missing. */
  readonly unreadableSecrets: () => number | null;
  readonly traffic: Traffic;
  /** Unauthenticated requests in flight, by `FastifyRequest.sender`. */
  readonly unknownSenders: Counter;
  readonly acceptedCredentials: AcceptedCredentials;
  readonly bodies: Bodies;
  readonly slowReaders: SlowReaders;
  /** Shown at `/`; null redirects `/` to the docs. */
  readonly demo: Demo | null;
  /** Adds the page of item types that accompanies the demo; null without the demo. */
  readonly addGallery: ((server: FastifyInstance) => void) | null;
  /** A file of the elements from another build. */
  readonly earlierElement: (name: string) => Promise<Buffer | null>;
  readonly openRequests: OpenRequests;
  /** False once the service begins to stop. */
  readonly isServing: () => boolean;
  readonly signOn: SignOn;
  readonly serveTaskFile: ServeTaskFile;
  /** Receives every successful answer of the API; for tests against the OpenAPI description. */
  readonly onAnswer?: (resource: string, operation: string, body: string) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    operation: string;
    startedMs: number;
    /** The counting key of an unknown sender. */
    address: string;
    /** The counting key until authentication: the address, separate for accepted credentials. */
    sender: string;
    /** The fair-queue key: the organization of accepted credentials, else the address. */
    tenant: string;
    /** Whether the answer was written completely. */
    isAnswered: boolean;
    /** What ended the request other than its answer. */
    endedBy: 'stop' | null;
    /** The trace for the operator. */
    trace: RequestTrace;
    /** Called after authentication with the organization of the caller. */
    recognised: (organizationId: string) => void;
  }
  interface FastifyContextConfig {
    resource?: string;
    /** Streams the body without a time limit. */
    streams?: boolean;
  }
}
