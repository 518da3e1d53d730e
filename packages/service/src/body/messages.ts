import type { Json } from '@inlay/contract';
import type { ProblemData } from '../problems/problem.ts';
import type { ListPlace } from './read-json.ts';

/** Byte offsets of a list in a file and of its items. */
export interface SentList {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly items: Float64Array;
  readonly digest: string;
}

/** A request to the thread that reads large bodies. `fd` is the file descriptor of the body. */
export type BodyWork =
  | {
      readonly op: 'scan';
      readonly fd: number;
      readonly bytes: number;
      readonly maxValues: number;
      readonly place: ListPlace | null;
    }
  /** Returns the checked text of a body without the items of its list. */
  | {
      readonly op: 'text';
      readonly fd: number;
      readonly bytes: number;
      readonly maxValues: number;
      readonly cut: readonly [number, number] | null;
    }
  | { readonly op: 'survey'; readonly fd: number; readonly items: Float64Array; readonly header: boolean }
  | {
      readonly op: 'batch';
      readonly fd: number;
      readonly items: Float64Array;
      readonly places: readonly number[];
    };

export interface ScanResult {
  readonly key: string | undefined;
  readonly token: string | undefined;
  readonly list: SentList | null;
}

export interface SurveyResult {
  readonly header: readonly Json[] | null;
  readonly strangers: readonly number[];
  readonly widths: Uint32Array;
  /** Types of cells in each column, as bits of `cellKinds`. */
  readonly kinds: readonly number[];
}

/** Result of each operation of `BodyWork`. */
export interface BodyResults {
  readonly scan: ScanResult;
  readonly text: string;
  readonly survey: SurveyResult;
  readonly batch: string;
}

export interface BodyRequest {
  readonly id: number;
  readonly work: BodyWork;
}

export type BodyReply =
  | { readonly id: number; readonly result: BodyResults[BodyWork['op']] }
  | { readonly id: number; readonly problem: ProblemData }
  | { readonly id: number; readonly error: string };
