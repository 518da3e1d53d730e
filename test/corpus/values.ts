import type { StorageType, Scalar } from '@inlay/query';

/**
 * Values of the plain evaluator: it shares no code with the compiler. Whole numbers and decimals are exact (hundredths),
 * times are milliseconds since 1970.
 */
export type Value =
  | null
  | { readonly is: 'exact'; readonly hundredths: bigint; readonly whole: boolean }
  | { readonly is: 'double'; readonly value: number }
  | { readonly is: 'text'; readonly value: string }
  | { readonly is: 'boolean'; readonly value: boolean }
  | { readonly is: 'time'; readonly ms: number; readonly day: boolean };

export const double = (value: number): NonNullable<Value> => ({ is: 'double', value });
export const whole = (value: bigint | number): NonNullable<Value> => ({
  is: 'exact',
  hundredths: BigInt(value) * 100n,
  whole: true,
});

const hundredthsOf = (text: string): bigint => {
  const [, sign = '', units = '0', part = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const value = BigInt(units) * 100n + BigInt(part.padEnd(2, '0') || '0');
  return sign === '-' ? -value : value;
};

/** Reads a stored value as its column keeps it. */
export const read = (value: Scalar, storageType: StorageType): Value => {
  if (value === null) return null;
  switch (storageType) {
    case 'integer':
      return whole(BigInt(String(value)));
    case 'decimal':
      return { is: 'exact', hundredths: hundredthsOf(String(value)), whole: false };
    case 'double':
      return double(Number(value));
    case 'boolean':
      return { is: 'boolean', value: value === true };
    case 'date':
      return { is: 'time', ms: Date.parse(`${String(value)}T00:00:00Z`), day: true };
    case 'timestamp':
    case 'timestamptz':
      return { is: 'time', ms: Date.parse(`${String(value).replace(' ', 'T')}Z`), day: false };
    default:
      return { is: 'text', value: String(value) };
  }
};

export const numberOf = (value: Value): number | null => {
  if (value === null) return null;
  return value.is === 'exact' ? Number(value.hundredths) / 100 : value.is === 'double' ? value.value : null;
};

const compareTexts = (left: string, right: string): number => {
  const [one, other] = [Array.from(left), Array.from(right)];
  for (let index = 0; index < Math.min(one.length, other.length); index += 1) {
    const difference = (one[index]?.codePointAt(0) ?? 0) - (other[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
};

/** Negative, zero or positive; both values are of one column or comparable with it. */
export const compare = (left: NonNullable<Value>, right: NonNullable<Value>): number => {
  if (left.is === 'text' && right.is === 'text') return compareTexts(left.value, right.value);
  if (left.is === 'boolean' && right.is === 'boolean') return Number(left.value) - Number(right.value);
  if (left.is === 'time' && right.is === 'time') return left.ms - right.ms;
  if (left.is === 'exact' && right.is === 'exact') {
    return left.hundredths < right.hundredths ? -1 : left.hundredths > right.hundredths ? 1 : 0;
  }
  return (numberOf(left) ?? 0) - (numberOf(right) ?? 0);
};

/** Nulls last, whichever way values are sorted. */
export const sortValues = (left: Value, right: Value, direction: 'asc' | 'desc'): number => {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return direction === 'asc' ? compare(left, right) : compare(right, left);
};

const plain = (value: number): number | null => (Number.isFinite(value) ? value + 0 : null);

/** Returns a value as the wire has it. */
export const wire = (value: Value): unknown => {
  if (value === null) return null;
  if (value.is === 'text' || value.is === 'boolean') return value.value;
  if (value.is === 'time') return new Date(value.ms).toISOString();
  if (value.is === 'double') return plain(value.value);
  const { hundredths } = value;
  const units = (hundredths / 100n).toString();
  if (hundredths % 100n === 0n) return Number.isSafeInteger(Number(units)) ? Number(units) : units;
  const text = `${hundredths < 0n ? '-' : ''}${(hundredths < 0n ? -hundredths : hundredths) / 100n}.${String(
    (hundredths < 0n ? -hundredths : hundredths) % 100n,
  ).padStart(2, '0')}`.replace(/0+$/, '');
  return text.replace(/[-.]/g, '').replace(/^0+/, '').length <= 15 ? Number(text) : text;
};

/** Returns a key that is the same for equal values only. */
export const keyOf = (value: Value): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
