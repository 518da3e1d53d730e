import type { JsonObject } from '@inlay/contract';

/** A probable mistake in an accepted record. It is part of the answer and never stored. specification/operations#answers */
export interface Warning {
  /** The member it is about. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** The warnings of a resource. */
export interface Warns {
  readonly of: (record: JsonObject) => readonly Warning[];
  /** References whose warnings are included for callers who may see the other record, by the resource they refer to. */
  readonly from?: Readonly<Record<string, string>>;
}
