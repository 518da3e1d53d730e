/** What came of a request to the model. */
export type RequestOutcome = 'used' | 'unusable' | 'refused' | 'timeout' | 'failed';

/** Receives what is known of the model. */
export interface ModelReport {
  /** Called with the outcome of each request. */
  readonly ended: (outcome: RequestOutcome) => void;
  /** Called once when conversations begin to fail in a row, and once when one succeeds again. */
  readonly changed: (state: 'failing' | 'answering', cause: string) => void;
}

/** Follows whether conversations with the model succeed. `threshold` is the number of failures in a row that count. */
export class ModelHealth {
  readonly #report: ModelReport;
  readonly #threshold: number;
  #failures = 0;
  #lastCause = '';

  constructor(report: ModelReport, threshold: number) {
    this.#report = report;
    this.#threshold = threshold;
  }

  /** Records the outcome of a request. `cause` says more, such as the status of a refusal. */
  requestEnded(outcome: RequestOutcome, cause: string = outcome): void {
    this.#lastCause = cause;
    this.#report.ended(outcome);
  }

  succeeded(): void {
    if (this.#failures >= this.#threshold) this.#report.changed('answering', '');
    this.#failures = 0;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures === this.#threshold) this.#report.changed('failing', this.#lastCause);
  }
}
