/** Why a formula is invalid. `at` is the offset in its text. */
export interface FormulaFault {
  readonly at: number;
  readonly message: string;
}

/** Carries a fault. Only code in this folder throws and catches it. */
export class FormulaRefusal extends Error {
  readonly fault: FormulaFault;
  constructor(at: number, message: string) {
    super(message);
    this.fault = { at, message };
  }
}

/**
 * Returns a fault as a sentence with its position from 1: `a number is expected here (character 12 of the formula)`.
 */
export const faultInWords = ({ at, message }: FormulaFault): string =>
  `${message} (character ${at + 1} of the formula)`;

const position = / \(character (\d{1,6}) of the formula\)$/u;

/** Returns the fault that a sentence of `faultInWords` says, also with its position inside; null for other sentences. */
export function faultInSentence(sentence: string): FormulaFault | null {
  const match = position.exec(sentence);
  return match === null ? null : { at: Number(match[1]) - 1, message: sentence.slice(0, match.index) };
}
