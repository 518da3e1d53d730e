/** The result of a single check. `fix` explains how to resolve a problem. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly check: string;
  readonly description: string;
  readonly fix?: string;
}

type FindingFactory = (check: string, message: string, mend: string) => Finding;

export const ok = (check: string, message: string): Finding => ({ level: 'ok', check, description: message });
export const warn: FindingFactory = (check, message, remedy) => ({
  level: 'warn',
  check,
  description: message,
  fix: remedy,
});
export const fail: FindingFactory = (check, message, remedy) => ({
  level: 'fail',
  check,
  description: message,
  fix: remedy,
});

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
