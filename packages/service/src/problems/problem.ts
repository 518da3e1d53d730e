import type { Validation } from '@inlay/contract';
import { catalogue, type ProblemCode } from './catalogue.ts';

/** A problem as plain data, so that it can cross threads. */
export interface ProblemData {
  readonly code: ProblemCode;
  readonly message: string;
  readonly validation?: Validation;
  readonly retryAfterS?: number;
  /** The methods that the address allows. */
  readonly allow?: readonly string[];
}

export interface ProblemDetails extends Partial<Omit<ProblemData, 'code'>> {}

/** The only error class that becomes an answer. Any other thrown value is a defect. */
export class Problem extends Error {
  readonly data: ProblemData;
  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    const message = details.message ?? catalogue[code].message;
    super(message);
    this.data = { ...details, code, message };
  }
}

/**
 * Problem `overloaded` for work that was refused before it began, because too much other work is running or waiting. A
 * job then waits for a free slot without counting the attempt.
 */
export class NoFreePlace extends Problem {
  readonly retryAfterS: number;
  constructor(details: ProblemDetails & { readonly retryAfterS: number }) {
    super('overloaded', details);
    this.retryAfterS = details.retryAfterS;
  }
}

const megabyte = 1_048_576;

/** Returns the problem for a body or file that is larger than its limit. The message states the limit. */
export const bodyTooLarge = (limitBytes: number): Problem =>
  new Problem('body_too_large', {
    message: `The body is larger than ${limitBytes < megabyte ? `${limitBytes} bytes` : `${Math.floor(limitBytes / megabyte)} MB`}, the limit of this address.`,
  });

/** Collects the faults of a request, so that a single answer lists all of them. */
export class Faults {
  readonly #places = new Map<string, string[]>();
  readonly #codes = new Set<ProblemCode>();

  /**
   * Adds a fault at a path, such as `properties.port`. A message passed as a function is only built if it is reported.
   */
  add(at: string, text: string | (() => string), code: ProblemCode = 'validation_failed'): void {
    const messages = this.#places.get(at);
    // A body can have thousands of faults. Only the first hundred paths are reported.
    if (messages === undefined && this.#places.size >= 100) return;
    const message = typeof text === 'string' ? text : text();
    if (messages === undefined) this.#places.set(at, [message]);
    else if (!messages.includes(message)) messages.push(message);
    this.#codes.add(code);
  }

  get none(): boolean {
    return this.#places.size === 0;
  }

  /** Raises a Problem with all faults, if there are any. If all faults share one code, the Problem has that code. */
  raise(): void {
    if (this.none) return;
    const [onlyCode] = this.#codes;
    const code = this.#codes.size === 1 && onlyCode !== undefined ? onlyCode : 'validation_failed';
    throw new Problem(code, { validation: Object.fromEntries(this.#places) });
  }
}
