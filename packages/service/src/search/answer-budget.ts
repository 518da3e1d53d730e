import { Problem } from '../problems/problem.ts';

/** What one answer of a search may hold: bytes of stored records, and included rows of the whole tree. */
export interface AnswerLimits {
  readonly bytes: number;
  readonly includedRows: number;
}

/** Takes room for so many bytes among all answers that are on their way. Raises Problem `overloaded`. */
export type ReserveRoom = (bytes: number) => Promise<void>;

/** Counts what one answer has taken of its limits. */
export interface AnswerBudget {
  /** Bytes of stored records so far. */
  readonly bytes: () => number;
  /** Takes what is about to be read; where it is large, waits for room. Raises Problem `answer_too_large`, `overloaded`. */
  readonly take: (rows: number, bytes: number) => Promise<void>;
}

/** An answer that is smaller needs no room of its own. */
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
