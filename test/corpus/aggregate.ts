import { compare, double, keyOf, numberOf, whole, type Value } from './values.ts';

type Known = NonNullable<Value>;
const isKnown = (value: Value): value is Known => value !== null;
const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const sumOf = (values: readonly Known[]): Value => {
  if (values.length === 0) return null;
  if (values.some(({ is }) => is === 'double')) return double(total(values.map((one) => numberOf(one) ?? 0)));
  const exact = values.flatMap((one) => (one.is === 'exact' ? [one] : []));
  return {
    is: 'exact',
    hundredths: exact.reduce((sum, one) => sum + one.hundredths, 0n),
    whole: exact.every((one) => one.whole),
  };
};

const ratio = (above: number | null, below: number | null): Value =>
  above === null || below === null || below === 0 ? null : double(above / below);

/** What is computed over the values of a group; nulls do not count. `second`: weights or divisors, row by row. */
export const aggregate = (name: string, values: readonly Value[], second: readonly Value[] | null): Value => {
  const known = values.filter(isKnown);
  const numbers = known.flatMap((one) => numberOf(one) ?? []);
  const sorted = numbers.toSorted((left, right) => left - right);
  const mean = total(numbers) / numbers.length;
  switch (name) {
    case 'count':
      return whole(known.length);
    case 'distinctcount':
      return whole(new Set(known.map(keyOf)).size);
    case 'sum':
    case 'cumulativesum':
      return sumOf(known);
    case 'average':
      return numbers.length === 0 ? null : double(mean);
    case 'median': {
      const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
      return middle.length === 0 ? null : double(total(middle) / middle.length);
    }
    case 'stddev':
      return numbers.length < 2
        ? null
        : double(Math.sqrt(total(numbers.map((one) => (one - mean) ** 2)) / (numbers.length - 1)));
    case 'min':
    case 'max': {
      const sign = name === 'min' ? 1 : -1;
      return known.toSorted((left, right) => sign * compare(left, right))[0] ?? null;
    }
    case 'rate':
      return ratio(numberOf(sumOf(known)), numberOf(sumOf((second ?? []).filter(isKnown))));
    case 'weightedaverage': {
      const pairs = values.flatMap((value, index) => {
        const [of, by] = [numberOf(value), numberOf(second?.[index] ?? null)];
        return of === null || by === null ? [] : [{ of, by }];
      });
      return pairs.length === 0
        ? null
        : ratio(total(pairs.map(({ of, by }) => of * by)), total(pairs.map(({ by }) => by)));
    }
    default:
      throw new Error(`no aggregation ${name}`);
  }
};
