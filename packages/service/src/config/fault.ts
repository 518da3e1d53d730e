/** One thing wrong with the configuration: which setting, where it was read, what is wrong, how to put it right. */
export interface Fault {
  readonly name: string;
  readonly place: string;
  readonly problem: string;
  readonly fix: string;
}

/** The service cannot start as configured. Lists every fault at once; never shows the value of a secret. */
export class ConfigFault extends Error {
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    const lines = faults.map((fault) => `  ${fault.name} (${fault.place}): ${fault.problem}. ${fault.fix}`);
    super(`The configuration is invalid:\n${lines.join('\n')}`);
    this.name = 'ConfigFault';
    this.faults = faults;
  }
}
