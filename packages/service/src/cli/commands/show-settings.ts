import { isFromFile, settings, variableOf, type Setting } from '../../config/settings.ts';
import { readArguments } from '../arguments.ts';
import type { Host } from '../host.ts';
import { settingsOf } from '../settings.ts';

const table: Readonly<Record<string, Setting<unknown>>> = settings;

const displayText = (value: unknown, secret: boolean): string => {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  if (secret) return '********';
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Prints the effective settings. */
export async function showSettings(args: readonly string[], host: Host): Promise<number> {
  const { values } = readArguments(args, { json: { type: 'boolean' } });
  const config = settingsOf(host);
  const lines = Object.entries(config).map(([name, value]) => {
    const variable = variableOf(name);
    const { secret = false } = table[name] ?? {};
    const inFile = table[name] !== undefined && isFromFile(table[name]);
    const written = host.env[variable] ?? '';
    const isInFile = inFile && (host.env[`${variable}_FILE`] ?? '') !== '';
    const from = written !== '' ? 'environment' : isInFile ? 'file' : 'default';
    return { name: variable, value: written !== '' && !secret ? written : displayText(value, secret), from };
  });
  if (values.json === true) host.out(JSON.stringify(lines, null, 2));
  else
    for (const { name, value, from } of lines) host.out(`${name}=${value}${from === 'default' ? '' : `  # ${from}`}`);
  return 0;
}
