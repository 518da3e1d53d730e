/** Wrong usage of the command; exit code 2. The message is one sentence. */
export class UsageFault extends Error {}

/** The command cannot proceed; exit code 1. The message is one sentence with the next step. */
export class CommandRefused extends Error {}
