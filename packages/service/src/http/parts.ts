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
/** Largest body of an address that is no resource. */
export const smallBodyBytes = 64 * 1024;

/** The requests being answered at the moment. */
export interface Traffic {
  inFlight: number;
}

/** What the HTTP side needs beside the service itself. */
export interface ServerParts extends Limits {
  readonly service: Service;
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly observations: Observations;
  readonly tracer: Tracer;
  /** Stored secrets that no key at hand opens; null where no key is missing. */
  readonly unreadableSecrets: () => number | null;
  readonly traffic: Traffic;
  /** Requests in flight that are not authenticated yet, by `FastifyRequest.sender`. */
  readonly unknownSenders: Counter;
  readonly acceptedCredentials: AcceptedCredentials;
  readonly bodies: Bodies;
  readonly slowReaders: SlowReaders;
  /** Shown at `/`; null where it is not, and `/` leads to the docs. */
  readonly demo: Demo | null;
  /** Adds the page of item types, which is shown with the demo; null where it is not. */
  readonly addGallery: ((server: FastifyInstance) => void) | null;
  /** A file of the elements of another build. */
  readonly earlierElement: (name: string) => Promise<Buffer | null>;
  readonly openRequests: OpenRequests;
  /** False from the moment the service begins to stop. */
  readonly isServing: () => boolean;
  readonly signOn: SignOn;
  readonly serveTaskFile: ServeTaskFile;
  /** Sees every successful answer of the API; for tests that hold answers against the OpenAPI description. */
  readonly onAnswer?: (resource: string, operation: string, body: string) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    operation: string;
    startedMs: number;
    /** What it is counted by where its sender is not known. */
    address: string;
    /** What its place is counted by until it is authenticated: its address, apart for those with accepted credentials. */
    sender: string;
    /** What it takes turns by while it is queued: the organization of accepted credentials, else its address. */
    tenant: string;
    /** Whether its answer was written to the end. */
    isAnswered: boolean;
    /** Who ended it, where that was not its answer. */
    endedBy: 'stop' | null;
    /** What its operator learns of it. */
    trace: RequestTrace;
    /** Called when the request is authenticated, with the organization of its caller. */
    recognised: (organizationId: string) => void;
  }
  interface FastifyContextConfig {
    resource?: string;
    /** The body is read as it comes, for as long as it takes. */
    streams?: boolean;
  }
}
