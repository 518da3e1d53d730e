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
  /** Returns the number of stored secrets that no available key decrypts; null if no key is missing. */
  readonly unreadableSecrets: () => number | null;
  readonly traffic: Traffic;
  /** Number of unauthenticated requests in flight, by `FastifyRequest.sender`. */
  readonly unknownSenders: Counter;
  readonly acceptedCredentials: AcceptedCredentials;
  readonly bodies: Bodies;
  readonly slowReaders: SlowReaders;
  /** Shown at `/`; null redirects `/` to the docs. */
  readonly demo: Demo | null;
  /** Adds the page of item types that comes with the demo; null if there is no demo. */
  readonly addGallery: ((server: FastifyInstance) => void) | null;
  /** Returns a file of the elements from another build; null if there is none. */
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
    /** The key by which an unknown sender is counted. */
    address: string;
    /**
     * The key by which the request is counted until authentication: the address, with a separate key for accepted
     * credentials.
     */
    sender: string;
    /** The key for fair queueing: the organization of accepted credentials, otherwise the address. */
    tenant: string;
    /** True if the answer was written completely. */
    isAnswered: boolean;
    /** What ended the request other than its answer; null if nothing did. */
    endedBy: 'stop' | null;
    /** The trace for the operator. */
    trace: RequestTrace;
    /** Called after authentication with the organization of the caller. */
    recognised: (organizationId: string) => void;
  }
  interface FastifyContextConfig {
    resource?: string;
    /** True if the route streams the body without a time limit. */
    streams?: boolean;
  }
}
