/** Cells as tests send them, and whether what is stored is the same value: written without the code under test. */

/** A cell: what it is where it comes in, and its text. CSV knows texts alone. */
export interface SentCell {
  readonly kind: 'number' | 'text' | 'boolean' | 'json' | 'time';
  readonly text: string;
}
export type Sent = SentCell | null;

/** A whole number below a bound. */
export type Random = (below: number) => number;

export const oneOf = <One>(random: Random, list: readonly One[]): One => {
  const one = list[random(list.length)];
  if (one === undefined) throw new Error('an empty list');
  return one;
};

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, (_, index) => (index === 0 ? 1 + random(9) : random(10))).join('');
const sign = (random: Random): string => oneOf(random, ['', '', '-']);
const two = (value: number): string => String(value).padStart(2, '0');

const date = (random: Random): string =>
  `${String(1 + random(9999)).padStart(4, '0')}-${two(1 + random(12))}-${two(1 + random(28))}`;
const clock = (random: Random): string =>
  `${two(random(24))}:${two(random(60))}${oneOf(random, ['', `:${two(random(60))}`, `:${two(random(60))}.${digits(random, 1 + random(6))}`])}`;
const moment = (random: Random): string =>
  `${two(random(24))}:${two(random(60))}:${two(random(60))}${oneOf(random, ['', `.${digits(random, 6)}`])}`;
const later = (random: Random): string => `20${date(random).slice(2)}`;

/** Numbers are JSON: without a plus, with a digit before the point. */
const numbers = {
  small: (random: Random) => `${sign(random)}${random(1000)}`,
  zero: (random: Random) => oneOf(random, ['0', '-0', '0.0', '-0.0', '0e5']),
  large: (random: Random) => `${sign(random)}${digits(random, 16 + random(23))}`,
  money: (random: Random) => `${sign(random)}${random(100_000)}.${digits(random, 1 + random(3))}0`,
  long: (random: Random) => `${sign(random)}${digits(random, 1 + random(20))}.${digits(random, 1 + random(18))}`,
  power: (random: Random) =>
    `${sign(random)}${random(10)}.${digits(random, 1 + random(6))}${oneOf(random, ['e', 'E'])}${oneOf(random, ['', '+', '-'])}${random(12)}`,
  wide: (random: Random) => `${sign(random)}${1 + random(9)}.${random(1000)}e${oneOf(random, ['', '-'])}${random(320)}`,
  double: (random: Random) => String((random(2 ** 31) * 2 ** 22 + random(2 ** 22)) / 2 ** random(60)),
  endless: (random: Random) => `${digits(random, 30 + random(20))}.${digits(random, 20)}`,
};

const texts = {
  words: (random: Random) =>
    oneOf(random, [
      'a',
      'Europe',
      'Asia, East',
      'say "so"',
      'two\nlines',
      'tab\there',
      'a;b|c',
      "it's",
      'null',
      'NULL',
      '#1',
    ]),
  unicode: (random: Random) =>
    oneOf(random, ['é', 'e\u0301', '漢字', '😀', 'مرحبا', '\u00a0', '\u200b', '\ufeffx', 'ß', '０１']),
  empty: () => '',
  almost: (random: Random) =>
    oneOf(random, [
      '007',
      '01.5',
      ' 1',
      '1 ',
      '5.',
      '+',
      '-',
      '1e',
      '0x10',
      '1_000',
      '1,5',
      'NaN',
      'inf',
      'Infinity',
      '--1',
      '1.2.3',
    ]),
  days: (random: Random) =>
    oneOf(random, [
      '2024-02-30',
      '2023-02-29',
      '0000-01-01',
      '2024-1-1',
      '31/12/2024',
      '24-01-01',
      '2024-13-01',
      'infinity',
      'epoch',
    ]),
  hours: (random: Random) =>
    oneOf(random, [
      '2024-01-01 24:00:00',
      '2024-01-01T10:00:60',
      '2024-01-01T10:00:00.1234567',
      '10:30',
      '2024-01-01T10',
      'now',
    ]),
  letters: (random: Random) => oneOf(random, ['t', 'f', 'yes', 'no', 'tRue', 'on']),
};

const of =
  (kind: SentCell['kind'], ...makers: readonly ((random: Random) => string)[]) =>
  (random: Random): Sent => ({ kind, text: oneOf(random, makers)(random) });

const anyNumber = of('number', ...Object.values(numbers));
const anyText = of('text', ...Object.values(texts));

/** What the cells of a column are, by a name. */
export const profiles: Readonly<Record<string, (random: Random) => Sent>> = {
  small: of('number', numbers.small),
  whole: of('number', numbers.small, numbers.large),
  money: of('number', numbers.money, numbers.small),
  decimal: of('number', numbers.long, numbers.large, numbers.money, numbers.zero),
  double: of('number', numbers.power, numbers.double, numbers.zero),
  wide: of('number', numbers.wide, numbers.small),
  number: anyNumber,
  date: of('text', later),
  old: of('text', date),
  time: of('text', (random) => `${later(random)}${oneOf(random, ['T', ' '])}${clock(random)}`, later),
  zoned: of('text', (random) => `${later(random)}T${moment(random)}${oneOf(random, ['Z', '+02:00', '-0330', '+14'])}`),
  words: of('text', texts.words, texts.unicode),
  text: anyText,
  spelled: of('text', numbers.small, numbers.money, numbers.power),
  boolean: of('boolean', (random) => oneOf(random, ['true', 'false'])),
  mixed: (random) => oneOf(random, [anyNumber, anyText, of('boolean', () => 'true'), of('text', later)])(random),
  json: of('json', (random) =>
    oneOf(random, ['{"a":[1,"x",null]}', '[]', '{"n":12345678901234567890.5}', '[[true],{}]']),
  ),
  none: () => null,
};

/** Returns a decimal as a whole number and the power of ten that it is multiplied by; null if it is none. */
function decimalOf(text: string): { readonly value: bigint; readonly power: number } | null {
  const [, minus, whole = '', fraction = '', power = '0'] =
    /^([+-]?)(\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/u.exec(text) ?? [];
  if (minus === undefined || `${whole}${fraction}` === '') return null;
  return { value: BigInt(`${minus === '-' ? '-' : ''}${whole}${fraction}`), power: Number(power) - fraction.length };
}

export function sameNumber(one: string, other: string): boolean {
  const [a, b] = [decimalOf(one), decimalOf(other)];
  if (a === null || b === null) return false;
  if (a.value === 0n || b.value === 0n) return a.value === b.value;
  const apart = a.power - b.power;
  if (Math.abs(apart) > 1000) return false;
  const ten = 10n ** BigInt(Math.abs(apart));
  return apart > 0 ? a.value * ten === b.value : a.value === b.value * ten;
}

/** Microseconds of a date or time, without a zone in UTC; null if it is none. */
export function instantOf(text: string): bigint | null {
  const [, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/u.exec(text) ?? [];
  if (day === undefined) return null;
  const seconds = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  // A text such as 2024-13-01 looks like a date and is none.
  if (Number.isNaN(seconds)) return null;
  const [, plus = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/u.exec(zone) ?? [];
  const offset = (plus === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes || '0')) * 60_000;
  return BigInt(seconds - offset) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

/** A cell of a version: its text and the name of its type. */
export interface StoredCell {
  readonly text: string | null;
  readonly type: string;
}

/** True if a stored cell has the value that was sent. */
export function isSame(sent: Sent, { text, type }: StoredCell): boolean {
  if (sent === null || text === null) return sent === null && text === null;
  if (/^(?:DECIMAL|DOUBLE|BIGINT|HUGEINT|INTEGER)/u.test(type)) return sameNumber(sent.text, text);
  if (/^(?:DATE|TIMESTAMP)/u.test(type)) {
    const [a, b] = [instantOf(sent.text), instantOf(text)];
    return a !== null && a === b;
  }
  if (type === 'BOOLEAN') return sent.text.toLowerCase() === text;
  if (sent.kind === 'time' && instantOf(sent.text) === instantOf(text)) return true;
  return sent.text === text || (sent.kind === 'number' && sameNumber(sent.text, text));
}

/** True if a cell could never be a value of a column of that type, so that it may be refused there. */
export function isStranger(sent: Sent, type: string): boolean {
  if (sent === null || /^(?:VARCHAR|ENUM)/u.test(type)) return false;
  if (/^(?:DATE|TIMESTAMP)/u.test(type))
    return instantOf(sent.text) === null || !sent.text.startsWith('2') || isOdd(sent.text);
  if (type === 'BOOLEAN') return !/^(?:true|false)$/u.test(sent.text);
  if (type === 'JSON') return !isJson(sent.text);
  return decimalOf(sent.text) === null || /^[+-]?0\d/u.test(sent.text);
}

/** True if some numbers have more digits together than the widest decimal, so that no type may hold them all. */
export function areTooLong(texts: readonly string[]): boolean {
  const most = { before: 0, behind: 0 };
  for (const text of texts) {
    const found = decimalOf(text);
    if (found === null || found.value === 0n) continue;
    const all = String(found.value).replace('-', '');
    const short = all.replace(/0+$/u, '');
    const power = found.power + all.length - short.length;
    most.before = Math.max(most.before, short.length + power);
    most.behind = Math.max(most.behind, -power);
  }
  return most.before + most.behind > 38;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Times of the calendar that are none. */
const isOdd = (text: string): boolean =>
  /T24| 24|:60|\.\d{7}|02-30|2023-02-29|-13-/u.test(text) || Number.isNaN(Date.parse(text.slice(0, 10)));
