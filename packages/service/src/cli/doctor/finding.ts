/** What one check of the doctor found. `mend` says how to put it right. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly check: string;
  readonly says: string;
  readonly mend?: string;
}

type Made = (check: string, says: string, mend: string) => Finding;

export const ok = (check: string, says: string): Finding => ({ level: 'ok', check, says });
export const warn: Made = (check, says, mend) => ({ level: 'warn', check, says, mend });
export const fail: Made = (check, says, mend) => ({ level: 'fail', check, says, mend });

/** The message of whatever was raised. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
