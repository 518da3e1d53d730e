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

/** Carries a command out with the arguments after its words, and gives the exit code. */
type Run = (args: readonly string[], host: Host) => Promise<number>;

/** One command of the command line. */
export interface CliCommand {
  /** Its words, such as `keys rotate`. */
  readonly words: string;
  readonly usage: string;
  readonly description: string;
  readonly load: () => Promise<Run>;
}
