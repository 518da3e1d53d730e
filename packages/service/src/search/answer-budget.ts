import { Problem } from '../problems/problem.ts';

/** Limits of a search answer: bytes of stored records, and the number of included rows at all levels. */
export interface AnswerLimits {
  readonly bytes: number;
  readonly includedRows: number;
}

/** Reserves memory for an answer, shared by all answers in progress. Raises Problem `overloaded`. */
export type ReserveRoom = (bytes: number) => Promise<void>;

/** Tracks the resources used by one answer. */
export interface AnswerBudget {
  /** Returns the bytes of stored records so far. */
  readonly bytes: () => number;
  /**
   * Counts rows and bytes; call it before reading them. Waits for memory if the answer becomes large. Raises Problem
   * `answer_too_large`, `overloaded`.
   */
  readonly take: (rows: number, bytes: number) => Promise<void>;
}

/** Answers up to this size need no reservation. */
const smallBytes = 1024 ** 2;
const megabyte = 1024 ** 2;

export function createAnswerBudget(limits: AnswerLimits, reserve: ReserveRoom): AnswerBudget {
  let bytes = 0;
  let rows = 0;
  return {
    bytes: () => bytes,
    take: async (moreRows, moreBytes) => {
      rows += moreRows;
      bytes += moreBytes;
      if (bytes > limits.bytes || rows > limits.includedRows) {
        throw new Problem('answer_too_large', {
          message: `The answer would be larger than ${Math.round(limits.bytes / megabyte)} MB, or include more than ${limits.includedRows} rows. Ask for fewer records with "limit" and "offset", or for fewer fields with "attributes".`,
        });
      }
      if (moreBytes > smallBytes) await reserve(moreBytes);
    },
  };
}
