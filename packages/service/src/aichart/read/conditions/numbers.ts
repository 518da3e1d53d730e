/**
 * Returns the number that a text of digits, dots and commas stands for. A mark that occurs twice, or before the last of
 * the two marks, separates thousands; so does a mark before three digits, unless it is the decimal mark of the language
 * and the digits are not `000`. Null for other texts, such as `12.05.2023`.
 */
export function numberFrom(text: string, decimalMark: '.' | ','): number | null {
  const marks = Array.from(text.replaceAll(/[^.,]/gu, ''));
  const decimal = decimalOf(text, marks, decimalMark);
  const at = decimal === null ? text.length : text.lastIndexOf(decimal);
  const groups = text.slice(0, at).split(/[.,]/u);
  const isGrouped = groups.slice(1).every((group) => group.length === 3) && (groups[0] ?? '').length > 0;
  if (!isGrouped || (groups.length > 1 && (groups[0] ?? '').length > 3)) return null;
  const value = Number(`${groups.join('')}.${text.slice(at + 1)}0`);
  return Number.isFinite(value) ? value : null;
}

function decimalOf(text: string, marks: readonly string[], decimalMark: string): string | null {
  const last = marks.at(-1);
  if (last === undefined) return null;
  if (marks.length > 1) return marks.filter((mark) => mark === last).length === 1 ? last : null;
  const tail = text.slice(text.lastIndexOf(last) + 1);
  const isThousands = tail.length === 3 && (last !== decimalMark || tail === '000');
  return isThousands ? null : last;
}
