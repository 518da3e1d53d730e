import { readFileSync } from 'node:fs';
import { readConfig, type Config } from '../config/config.ts';
import type { Host } from './host.ts';

/** The settings of this process; warnings are told. Raises ConfigFault. */
export function settingsOf(host: Host): Config {
  const { config, warnings } = readConfig(host.env, (path) => readFileSync(path, 'utf8'));
  for (const warning of warnings) host.error(`warning: ${warning}`);
  return config;
}
