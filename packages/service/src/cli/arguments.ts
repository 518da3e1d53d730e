import { nearest } from '@inlay/contract';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageFault } from './faults.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type ParsedArguments<Given extends Options> = ReturnType<
  typeof parseArgs<{ options: Given; strict: true; allowPositionals: true }>
>['values'];

function refuseUnknown(args: readonly string[], options: Options): void {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue;
    const suggestion = nearest(token.name, Object.keys(options));
    throw new UsageFault(
      `${token.rawName} is not an option of this command${suggestion === undefined ? '' : ` (did you mean --${suggestion}?)`}`,
    );
  }
}

/**
 * Parses the arguments of a command. `words` names the positional arguments in order. Raises UsageFault for an unknown
 * option, a missing value, or a wrong number of positional arguments.
 */
export function readArguments<const Given extends Options>(
  args: readonly string[],
  options: Given,
  words: readonly string[] = [],
): { readonly values: ParsedArguments<Given>; readonly words: readonly string[] } {
  refuseUnknown(args, options);
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    const missingWord = words[positionals.length];
    if (missingWord !== undefined) throw new UsageFault(`${missingWord} is missing`);
    const spareWord = positionals[words.length];
    if (spareWord !== undefined) throw new UsageFault(`"${spareWord}" is an unexpected argument`);
    return { values, words: positionals };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageFault(error.message.split('. ')[0], { cause: error });
    throw error;
  }
}

/** The `--force` option of commands that may migrate the store. */
export const forceOption = { force: { type: 'boolean' } } as const;

/** Returns the text of a required option. Raises UsageFault if it is missing. */
export function required(value: string | undefined, option: string): string {
  if (value === undefined || value.trim() === '') throw new UsageFault(`${option} is missing`);
  return value.trim();
}
