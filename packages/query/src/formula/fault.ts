/** Why a formula cannot be read, and the offset in its text where. */
export interface FormulaFault {
  readonly at: number;
  readonly says: string;
}

/** Carries a fault out of the reading of a formula; it does not leave this folder. */
export class FormulaRefusal extends Error {
  readonly fault: FormulaFault;
  constructor(at: number, says: string) {
    super(says);
    this.fault = { at, says };
  }
}

/** A fault as people count characters: `a number is expected here (character 12 of the formula)`. */
export const faultInWords = ({ at, says }: FormulaFault): string => `${says} (character ${at + 1} of the formula)`;
