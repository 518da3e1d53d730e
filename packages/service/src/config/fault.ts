/** A configuration fault: the setting, where it was set, the problem, and how to fix it. */
export interface Fault {
  readonly name: string;
  readonly place: string;
  readonly problem: string;
  readonly fix: string;
}

/**
 * Raised if the service cannot start with this configuration. Lists every fault at once. Never contains the value of a
 * secret.
 */
export class ConfigFault extends Error {
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    const lines = faults.map((fault) => `  ${fault.name} (${fault.place}): ${fault.problem}. ${fault.fix}`);
    super(`The configuration is invalid:\n${lines.join('\n')}`);
    this.name = 'ConfigFault';
    this.faults = faults;
  }
}
