import { readFile } from 'node:fs/promises';
import { parse, formatHex } from 'culori';
import { brandColor, LogoFault } from '../../theming/logo.ts';
import { themeFromColor } from '../../theming/theme-from-color.ts';
import { readArguments } from '../arguments.ts';
import { CommandRefused, UsageFault } from '../faults.ts';
import type { Host } from '../host.ts';

const example = 'a colour such as "#1d4e89", or a PNG or SVG file';

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function colorOf(text: string): Promise<string> {
  const color = parse(text);
  if (color !== undefined) {
    if ((color.alpha ?? 1) < 1) throw new UsageFault(`"${text}" lets through what is behind it; give ${example}`);
    return formatHex(color);
  }
  try {
    return brandColor(await readFile(text));
  } catch (error) {
    if (error instanceof LogoFault) throw new CommandRefused(`"${text}" ${error.message}.`, { cause: error });
    if (isMissing(error)) throw new UsageFault(`"${text}" is neither a colour nor a file; give ${example}`);
    throw error;
  }
}

/** Prints a light and a dark theme derived from a single colour. */
export async function themeFrom(args: readonly string[], host: Host): Promise<number> {
  const { words } = readArguments(args, {}, ['COLOUR or FILE']);
  const color = await colorOf(words[0] ?? '');
  host.out(JSON.stringify({ color, ...themeFromColor(color) }, null, 2));
  return 0;
}
