/** The process in which a command runs; provided by `main`. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  /** Resolves with the name of the first stop signal. */
  readonly stopSignal: () => Promise<string>;
  /** Registers a handler for uncaught errors. */
  readonly onDefect: (report: (error: unknown) => void) => void;
}

/** Runs a command with the arguments that follow its words. Resolves to the exit code. */
type Run = (args: readonly string[], host: Host) => Promise<number>;

/** One command of the command line. */
export interface CliCommand {
  /** Words of the command, such as `keys rotate`. */
  readonly words: string;
  readonly usage: string;
  readonly description: string;
  readonly load: () => Promise<Run>;
}
