import type { Scalar } from '@inlay/query';
import type { AskedFilter, AskedTest, Wanted } from './asked.ts';
import { move, startOf, toLocal, toUtc, utc, type Zone } from './calendar.ts';
import { compare, double, read, type Value } from './values.ts';

/** When and where a query is evaluated. */
export interface Clock {
  readonly nowMs: number;
  readonly zone: Zone;
  readonly weekstart: number;
}

interface Span {
  readonly from: number;
  readonly until: number;
}
const dayMs = 86_400_000;
const units = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'];
const forever = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** Period that a value of a filter names. */
const spanOf = (text: string, level: number | undefined, day: boolean, clock: Clock): Span => {
  const zone = day ? utc : clock.zone;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const exact = Date.parse(isDay ? `${text}T00:00:00Z` : text);
  const ms = isDay ? toUtc(exact, zone) : exact;
  const finest = day ? Math.min(level ?? 5, 5) : (level ?? (isDay ? 5 : 9));
  const from = startOf(ms, finest, zone, clock.weekstart);
  return { from, until: move(from, finest, 1, zone) };
};

const relativeSpan = (word: string, wanted: Wanted | undefined, latest: () => number | null, clock: Clock): Span => {
  const period = typeof wanted === 'object' && wanted !== null && 'unit' in wanted ? wanted : null;
  const named: Readonly<Record<string, string>> = { WTD: 'week', MTD: 'month', QTD: 'quarter', YTD: 'year' };
  const level = units.indexOf(named[word] ?? period?.unit ?? 'year') + 1;
  const quantity = named[word] === undefined ? (period?.quantity ?? 1) : 1;
  const { nowMs, zone, weekstart } = clock;
  const start = (count: number): number => move(startOf(nowMs, level, zone, weekstart), level, count, zone);
  const away = (count: number): number => move(nowMs, level, count, zone);
  if (named[word] !== undefined || word === 'to_date')
    return { from: start(1 - Math.max(1, quantity)), until: nowMs + 1 };
  if (word === 'last_now') return { from: away(-quantity), until: nowMs + 1 };
  if (word === 'last_completed') return { from: start(-quantity), until: start(0) };
  if (word === 'next_now') return { from: nowMs, until: away(quantity) + 1 };
  if (word === 'next_full') return { from: start(1), until: start(quantity + 1) };
  if (word === 'ago') return { from: start(-quantity), until: start(1 - quantity) };
  if (word === 'more_than_ago') return { ...forever, until: away(-quantity) };
  const newest = latest();
  if (newest === null) return { from: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  const from = move(startOf(newest, level, zone, weekstart), level, 1 - Math.max(1, quantity), zone);
  return { ...forever, from };
};

/** Days without time lie in every span that touches them. */
const lies = (value: NonNullable<Value>, { from, until }: Span, zone: Zone): boolean => {
  if (value.is !== 'time') return false;
  if (!value.day) return value.ms >= from && value.ms < until;
  const dayOf = (ms: number): number => (Number.isFinite(ms) ? Math.floor(toLocal(ms, zone) / dayMs) * dayMs : ms);
  return value.ms >= dayOf(from) && value.ms <= dayOf(until - 1);
};

const isLike = (text: string, pattern: string): boolean => {
  if (!pattern.includes('%')) return text.includes(pattern);
  const plain = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const source = pattern.replace(/\\([\\%_])|[^]/gu, (found, escaped: string | undefined) => {
    if (escaped !== undefined) return plain(escaped);
    return found === '%' ? '[^]*' : found === '_' ? '[^]' : plain(found);
  });
  return new RegExp(`^${source}$`, 'u').test(text);
};

const asValue = (wanted: Scalar, like: NonNullable<Value>): NonNullable<Value> => {
  if (like.is === 'boolean') return { is: 'boolean', value: wanted === true || wanted === 'true' };
  if (like.is === 'text') return { is: 'text', value: String(wanted) };
  return double(Number(wanted));
};
/** Numbers with as many digits as they have. */
const exactly = (wanted: Scalar, like: NonNullable<Value>): NonNullable<Value> =>
  like.is === 'exact' && /^-?\d+(\.\d{1,2})?$/.test(String(wanted))
    ? (read(String(wanted), String(wanted).includes('.') ? 'decimal' : 'integer') ?? asValue(wanted, like))
    : asValue(wanted, like);

const compared = (
  word: string,
  value: NonNullable<Value>,
  list: readonly Scalar[],
  test: AskedTest,
  clock: Clock,
): boolean => {
  const [first = null, second = null] = list;
  if (value.is === 'time') {
    const { level } = test.parameters[0];
    const spans = list.map((one) => spanOf(String(one), level, value.day, clock));
    const zone = value.day ? utc : clock.zone;
    const [low = forever, high = forever] = spans;
    if (word === 'in' || word === '=') return spans.some((span) => lies(value, span, zone));
    const bounds: Readonly<Record<string, Span>> = {
      '<': { ...forever, until: low.from },
      '<=': { ...forever, until: low.until },
      '>': { ...forever, from: low.until },
      '>=': { ...forever, from: low.from },
      between: { from: low.from, until: high.until },
    };
    return lies(value, bounds[word] ?? forever, zone);
  }
  const to = (one: Scalar): number => compare(value, exactly(one, value));
  if (word === 'in') return list.some((one) => to(one) === 0);
  if (word === 'between') return to(first) >= 0 && to(second) <= 0;
  const signs: Readonly<Record<string, boolean>> = {
    '=': to(first) === 0,
    '<': to(first) < 0,
    '<=': to(first) <= 0,
    '>': to(first) > 0,
    '>=': to(first) >= 0,
  };
  return signs[word] ?? false;
};

/** True if a value passes a test. `latest`: the newest value of the column that the caller may see. */
const passesTest = (test: AskedTest, value: Value, latest: () => number | null, clock: Clock): boolean => {
  const expression = test.expression.replace(/^\? /, '').replace(/ \?$/, '');
  if (expression === 'is null') return value === null;
  if (expression === 'is not null') return value !== null;
  const wanted = test.parameters[1];
  const negated = expression === '!=' || expression.startsWith('not ');
  const word = expression === '!=' ? '=' : expression.replace(/^not /, '');
  const all: readonly Scalar[] = Array.isArray(wanted)
    ? wanted.filter((one): one is Scalar => typeof one !== 'object' || one === null)
    : typeof wanted === 'object' && wanted !== null
      ? []
      : [wanted ?? null];
  const isPeriod = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted);
  const list = all.filter((one) => one !== null);
  const namesNull = !isPeriod && wanted !== undefined && list.length < all.length;
  if (value === null) return negated ? !namesNull : namesNull;
  const positive = ((): boolean => {
    if (isPeriod || wanted === undefined)
      return lies(
        value,
        relativeSpan(word, wanted, latest, clock),
        value.is === 'time' && value.day ? clock.zone : utc,
      );
    const text = value.is === 'text' ? value.value : '';
    if (word === 'like') return isLike(text, String(list[0]));
    if (word === 'starts with') return text.startsWith(String(list[0]));
    if (word === 'ends with') return text.endsWith(String(list[0]));
    return list.length > 0 && compared(word, value, list, test, clock);
  })();
  return negated ? !positive : positive;
};

/** True if a row or group passes a filter; `valueOf` and `latest` look up what it names. */
export const passes = (
  filter: AskedFilter,
  valueOf: (test: AskedTest) => Value,
  latest: (test: AskedTest) => number | null,
  clock: Clock,
): boolean => {
  if ('and' in filter) return filter.and.every((one) => passes(one, valueOf, latest, clock));
  if ('or' in filter) return filter.or.some((one) => passes(one, valueOf, latest, clock));
  return passesTest(filter, valueOf(filter), () => latest(filter), clock);
};
