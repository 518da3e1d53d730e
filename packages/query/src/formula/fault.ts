/** The fault of a formula, and its offset in the text. */
export interface FormulaFault {
  readonly at: number;
  readonly says: string;
}

/** Thrown and caught inside this folder. */
export class FormulaRefusal extends Error {
  readonly fault: FormulaFault;
  constructor(at: number, says: string) {
    super(says);
    this.fault = { at, says };
  }
}

/** A fault with a position from 1: `a number is expected here (character 12 of the formula)`. */
export const faultInWords = ({ at, says }: FormulaFault): string => `${says} (character ${at + 1} of the formula)`;
