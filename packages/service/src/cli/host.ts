/** What a command gets of the process it runs in; `main` hands it in. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  /** Resolves with the name of the first signal that asks to stop. */
  readonly stopSignal: () => Promise<string>;
  /** Calls back where an error reached nobody. */
  readonly onDefect: (told: (error: unknown) => void) => void;
}

/** One command of the command line. */
export interface CliCommand {
  /** Its words, such as `keys rotate`. */
  readonly words: string;
  readonly usage: string;
  readonly sentence: string;
  /** Gives the exit code. */
  readonly run: (args: readonly string[], host: Host) => Promise<number>;
}
