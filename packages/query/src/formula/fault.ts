/** The fault of a formula, and its offset in the text. */
export interface FormulaFault {
  readonly at: number;
  readonly message: string;
}

/** Thrown and caught inside this folder. */
export class FormulaRefusal extends Error {
  readonly fault: FormulaFault;
  constructor(at: number, message: string) {
    super(message);
    this.fault = { at, message };
  }
}

/** Returns a fault with a position from 1: `a number is expected here (character 12 of the formula)`. */
export const faultInWords = ({ at, message }: FormulaFault): string =>
  `${message} (character ${at + 1} of the formula)`;
