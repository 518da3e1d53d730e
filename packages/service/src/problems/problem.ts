import type { Validation } from '@inlay/contract';
import { catalogue, type ProblemCode } from './catalogue.ts';

/** A refusal or failure as plain data, so that it can cross threads. */
export interface ProblemData {
  readonly code: ProblemCode;
  readonly message: string;
  readonly validation?: Validation;
  readonly retryAfterS?: number;
  /** The methods that the address takes. */
  readonly allow?: readonly string[];
}

export interface ProblemDetails extends Partial<Omit<ProblemData, 'code'>> {}

/** The one error class that becomes an answer. Everything else that is thrown is a defect of ours. */
export class Problem extends Error {
  readonly data: ProblemData;
  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    const message = details.message ?? catalogue[code].message;
    super(message);
    this.data = { ...details, code, message };
  }
}

const megabyte = 1_048_576;

/** A body or file above its limit, which the message names. */
export const bodyTooLarge = (limitBytes: number): Problem =>
  new Problem('body_too_large', {
    message: `The body is larger than ${limitBytes < megabyte ? `${limitBytes} bytes` : `${Math.floor(limitBytes / megabyte)} MB`}, the limit of this address.`,
  });

/** Gathers every fault of a request, so that one answer names them all. */
export class Faults {
  readonly #places = new Map<string, string[]>();
  readonly #codes = new Set<ProblemCode>();

  /** Notes one fault at one place, such as `properties.port`; a message that costs something is made when it is kept. */
  add(at: string, told: string | (() => string), code: ProblemCode = 'validation_failed'): void {
    const held = this.#places.get(at);
    // A body can hold many thousand faults; the first hundred places tell enough.
    if (held === undefined && this.#places.size >= 100) return;
    const message = typeof told === 'string' ? told : told();
    if (held === undefined) this.#places.set(at, [message]);
    else if (!held.includes(message)) held.push(message);
    this.#codes.add(code);
  }

  get none(): boolean {
    return this.#places.size === 0;
  }

  /** Raises the Problem that names every fault, if there is one. Faults of one kind give that kind's code. */
  raise(): void {
    if (this.none) return;
    const [only] = this.#codes;
    const code = this.#codes.size === 1 && only !== undefined ? only : 'validation_failed';
    throw new Problem(code, { validation: Object.fromEntries(this.#places) });
  }
}
