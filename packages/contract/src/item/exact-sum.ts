const decimal = /^-?\d+(?:\.\d+)?$/u;
/** Most significant digits of a decimal that every double represents. */
const doubleDigits = 15;

/** Returns the sum of decimals as a decimal, such as `0.3` for `0.1` and `0.2`. */
function decimalSum(decimals: readonly string[]): string {
  const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0;
  const places = decimals.reduce((most, text) => Math.max(most, placesOf(text)), 0);
  const units = decimals.reduce((sum, text) => {
    const [whole = '', fraction = ''] = text.split('.');
    return sum + BigInt(whole + fraction.padEnd(places, '0'));
  }, 0n);
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const split = digits.length - places;
  let end = digits.length;
  while (end > split && digits[end - 1] === '0') end -= 1;
  const fraction = digits.slice(split, end);
  return `${units < 0n ? '-' : ''}${digits.slice(0, split)}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Returns the sum of cells, which are numbers, or texts with all digits of decimals. It is exact up to the rounding to a
 * double; if a cell is a text, it is a text too where a double has too few digits.
 */
export function exactSum(cells: readonly (number | string)[]): number | string {
  const texts = cells.map(String);
  // A number such as 1e+300 is written with an exponent.
  if (!texts.every((text) => decimal.test(text))) return cells.reduce<number>((sum, cell) => sum + Number(cell), 0);
  const sum = decimalSum(texts);
  const digits = sum.replace(/[-.]/gu, '').replace(/^0+/u, '').length;
  return digits > doubleDigits && cells.some((cell) => typeof cell === 'string') ? sum : Number(sum);
}
