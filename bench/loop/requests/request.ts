import type { Credential } from '../../../test/support/service.ts';
import { bearer, type Sent } from '../client.ts';
import type { Stage } from '../stage.ts';

/** A request that asks for the most of something, and the statuses that may answer it. */
export interface LargestRequest {
  readonly name: string;
  readonly sent: Sent;
  readonly statuses: readonly number[];
}

export const done = [200] as const;
export const refused = [400] as const;
/** Done, or refused for its size: what the store holds and how fast the machine is decides. */
export const either = [200, 400, 413, 503, 504] as const;
export const megabyte = 1024 * 1024;

/** What requests are made with. */
export interface Tools {
  /** The share of a size that this run sends. */
  readonly part: (count: number) => number;
  /** A request of a caller, the owner where none is named, with a body as JSON. */
  readonly ask: (
    name: string,
    resource: string,
    body: object,
    statuses?: readonly number[],
    by?: Credential,
    more?: Partial<Sent>,
  ) => LargestRequest;
  /** A request whose body is written out, with the owner's credentials in the header where no headers are given. */
  readonly text: (
    name: string,
    resource: string,
    body: string,
    statuses?: readonly number[],
    headers?: Record<string, string>,
  ) => LargestRequest;
  /** The end of a body that has the owner's credentials last. */
  readonly credentialsLast: string;
}

/** The requests of one kind. */
export type Part = (stage: Stage, tools: Tools) => readonly LargestRequest[];

export const repeated = (piece: string, bytes: number): string => piece.repeat(Math.floor(bytes / piece.length));

/** Tools for requests to a stage; sizes are this share of what is allowed. */
export function toolsOf({ owner }: Stage, share: number): Tools {
  return {
    part: (count) => Math.max(1, Math.floor(count * share)),
    ask: (name, resource, body, statuses = done, by = owner, more = {}) => ({
      name,
      statuses,
      sent: { path: `/0.1.0/${resource}`, headers: bearer(by), body: JSON.stringify(body), ...more },
    }),
    text: (name, resource, body, statuses = done, headers = bearer(owner)) => ({
      name,
      statuses,
      sent: { path: `/0.1.0/${resource}`, body, headers },
    }),
    credentialsLast: `"key":"${owner.key}","token":"${owner.token}"}`,
  };
}
