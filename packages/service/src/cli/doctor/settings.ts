import { readFileSync } from 'node:fs';
import { ConfigFault } from '../../config/fault.ts';
import { readConfig, type Config } from '../../config/config.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

/** Checks the settings. `config` is undefined if they cannot be read. */
export function checkSettings(env: Readonly<Record<string, string | undefined>>): {
  readonly config: Config | undefined;
  readonly findings: readonly Finding[];
} {
  try {
    const { config, warnings } = readConfig(env, (path) => readFileSync(path, 'utf8'));
    const warningFindings = warnings.map((warning) => warn('settings', warning, 'Correct or remove it.'));
    return {
      config,
      findings: warningFindings.length > 0 ? warningFindings : [ok('settings', 'all are known and consistent')],
    };
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    return {
      config: undefined,
      findings: error.faults.map(({ name, place, problem, fix }) =>
        fail('settings', `${name} (${place}): ${problem}`, fix),
      ),
    };
  }
}
