/** The command was called wrongly; exit code 2. The message is one sentence. */
export class UsageFault extends Error {}

/** The command cannot do what it was asked to; exit code 1. The message says in one sentence what to do next. */
export class CommandRefused extends Error {}
