import { readFileSync } from 'node:fs';
import { readConfig, type Config } from '../config/config.ts';
import type { Host } from './host.ts';

/** Reads the settings of this process and prints warnings. Raises ConfigFault. */
export function settingsOf(host: Host): Config {
  const { config, warnings } = readConfig(host.env, (path) => readFileSync(path, 'utf8'));
  for (const warning of warnings) host.error(`warning: ${warning}`);
  return config;
}
