/** A configuration fault: the setting, its origin, the problem and the fix. */
export interface Fault {
  readonly name: string;
  readonly place: string;
  readonly problem: string;
  readonly fix: string;
}

/** The service cannot start with this configuration. Lists every fault at once; never contains the value of a secret. */
export class ConfigFault extends Error {
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    const lines = faults.map((fault) => `  ${fault.name} (${fault.place}): ${fault.problem}. ${fault.fix}`);
    super(`The configuration is invalid:\n${lines.join('\n')}`);
    this.name = 'ConfigFault';
    this.faults = faults;
  }
}
