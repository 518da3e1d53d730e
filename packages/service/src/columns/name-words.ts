import { fold } from '@inlay/contract/multilingual';

/** Letters that have no accent to remove, but are written in other letters where a keyboard lacks them. */
const spelledOut: Readonly<Record<string, string>> = { ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', đ: 'd', ł: 'l', ı: 'i' };

/** Returns a text of names, questions and values as it is compared: without case and accents. */
export const folded = (text: string): string =>
  fold(text).replaceAll(/[ßœæøđłı]/gu, (letter) => spelledOut[letter] ?? letter);

/** Returns the words of a name. `HoursPerWeek`, `hours_per_week` and `Hours per week` have the same three words. */
export function wordsOfName(name: string): readonly string[] {
  return folded(
    name
      .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
      .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .replaceAll(/(\p{L})(\p{N})/gu, '$1 $2'),
  )
    .split(/[^\p{L}\p{N}%]+/u)
    .filter((word) => word !== '');
}

const maxUnit = 12;

/** A name with the unit that stands in brackets at its end. */
interface NameWithUnit {
  readonly name: string;
  readonly unit: string;
}

/** Splits a name such as "Consumption (kWh)"; null if no unit stands at its end. */
function splitUnit(text: string): NameWithUnit | null {
  const trimmed = text.trimEnd();
  const open = trimmed.lastIndexOf('(');
  const unit = open < 0 || !trimmed.endsWith(')') ? '' : trimmed.slice(open + 1, -1);
  if (unit === '' || unit.length > maxUnit || unit.includes(')')) return null;
  return { name: trimmed.slice(0, open).trimEnd(), unit };
}

/** Returns a name without the unit in brackets at its end, unless it is nothing else. */
export function withoutUnit(name: string): string {
  const rest = splitUnit(name)?.name ?? name;
  return rest === '' ? name : rest;
}

/** Returns the unit in brackets at the end of a name, folded: `kwh` for "Consumption (kWh)"; empty if there is none. */
export const unitOf = (name: string): string => folded(splitUnit(name)?.unit ?? '');
