/** The result of a single check. `fix` explains how to resolve it. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly check: string;
  readonly description: string;
  readonly fix?: string;
}

type FindingFactory = (check: string, says: string, mend: string) => Finding;

export const ok = (check: string, says: string): Finding => ({ level: 'ok', check, description: says });
export const warn: FindingFactory = (check, says, mend) => ({ level: 'warn', check, description: says, fix: mend });
export const fail: FindingFactory = (check, says, mend) => ({ level: 'fail', check, description: says, fix: mend });

/** The message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
