import { fold, isList, isObject, type Json, type JsonObject } from '@inlay/contract';

type Test = (held: string | number, wanted: readonly Json[]) => boolean;

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** By code point, as both stores compare texts. */
function compare(left: string | number, right: Json | undefined): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return Buffer.compare(Buffer.from(asText(left)), Buffer.from(asText(right)));
}

/** Returns a LIKE pattern with `\` as the escape. */
function likes(text: string, pattern: string, flags: string): boolean {
  const parts = pattern.match(/\\[\s\S]|[\s\S]/gu) ?? [];
  const written = parts.map((part) => {
    if (part === '%') return '[\\s\\S]*';
    if (part === '_') return '[\\s\\S]';
    const sign = part.length > 1 && part.startsWith('\\') ? part.slice(1) : part;
    return sign.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&');
  });
  return new RegExp(`^${written.join('')}$`, `u${flags}`).test(text);
}

const listed = (wanted: readonly Json[]): readonly Json[] => (isList(wanted[0]) ? wanted[0] : []);

const tests: Readonly<Record<string, Test>> = {
  eq: (held, [wanted]) => held === wanted,
  in: (held, wanted) => listed(wanted).includes(held),
  gt: (held, [wanted]) => compare(held, wanted) > 0,
  gte: (held, [wanted]) => compare(held, wanted) >= 0,
  lt: (held, [wanted]) => compare(held, wanted) < 0,
  lte: (held, [wanted]) => compare(held, wanted) <= 0,
  between: (held, wanted) => compare(held, listed(wanted)[0]) >= 0 && compare(held, listed(wanted)[1]) <= 0,
  like: (held, [wanted]) => likes(asText(held), asText(wanted), ''),
  iLike: (held, [wanted]) => likes(asText(held).toLowerCase(), asText(wanted).toLowerCase(), ''),
  startsWith: (held, [wanted]) => asText(held).startsWith(asText(wanted)),
  endsWith: (held, [wanted]) => asText(held).endsWith(asText(wanted)),
  contains: (held, [wanted]) => asText(held).includes(asText(wanted)),
};
const opposites: Readonly<Record<string, string>> = {
  ne: 'eq',
  notIn: 'in',
  notLike: 'like',
  notILike: 'iLike',
  notBetween: 'between',
};

/** Returns the scalars a field holds: none where unset, one, or one a language. */
function heldBy(record: JsonObject, word: string): readonly (string | number)[] {
  const [name = '', language] = word.split('.');
  const value = record[name] ?? null;
  const scalars = isObject(value)
    ? language === undefined
      ? Object.values(value)
      : [value[language] ?? null]
    : [value];
  return scalars.flatMap((one) =>
    typeof one === 'boolean' ? [one ? 1 : 0] : typeof one === 'string' || typeof one === 'number' ? [one] : [],
  );
}

const plain = (value: Json): Json =>
  isList(value) ? value.map(plain) : typeof value === 'boolean' ? (value ? 1 : 0) : value;

function field(record: JsonObject, word: string, operator: string, value: Json): boolean {
  const held = heldBy(record, word);
  const positive = opposites[operator];
  if (positive !== undefined) return !field(record, word, positive, value);
  if (operator === 'isNull') return (held.length === 0) === value;
  const wanted = plain(value);
  const asksNull = wanted === null || (operator === 'in' && isList(wanted) && wanted.includes(null));
  if (asksNull && held.length === 0) return true;
  return wanted !== null && held.some((one) => tests[operator]?.(one, [wanted]) === true);
}

/** Returns the parts of an `or`: those of a list, or each member of an object. */
function alternatives(value: Json): readonly Json[] {
  if (isList(value)) return value;
  return isObject(value) ? Object.entries(value).map((entry) => Object.fromEntries([entry])) : [];
}

/** True if a record satisfies a `where`. */
export function satisfies(record: JsonObject, where: Json): boolean {
  if (isList(where)) return where.every((part) => satisfies(record, part));
  if (!isObject(where)) return true;
  return Object.entries(where).every(([word, value]) => {
    const name = word.replace(/^\$/u, '');
    if (name === 'and') return satisfies(record, value);
    if (name === 'not') return !satisfies(record, value);
    if (name === 'or') return alternatives(value).some((part) => satisfies(record, part));
    if (isList(value)) return field(record, word, 'in', value);
    if (!isObject(value)) return field(record, word, 'eq', value);
    return Object.entries(value).every(([operator, operand]) =>
      field(record, word, operator.replace(/^\$/u, ''), operand),
    );
  });
}

/** Checks that one language of a field is ordered without case and accents. */
const key = (word: string, value: string | number): string | number =>
  word.includes('.') && typeof value === 'string' ? fold(value) : value;

/** Ordered by fields, unset ones as the lowest, ties by id. */
export function ordered(
  records: readonly JsonObject[],
  order: readonly (readonly [string, 'asc' | 'desc'])[],
): readonly string[] {
  const by = (left: JsonObject, right: JsonObject): number => {
    for (const [word, direction] of order) {
      const [one] = heldBy(left, word);
      const [other] = heldBy(right, word);
      const way =
        one === undefined
          ? other === undefined
            ? 0
            : -1
          : other === undefined
            ? 1
            : compare(key(word, one), key(word, other));
      if (way !== 0) return direction === 'asc' ? way : -way;
    }
    return compare(asText(left['id']), asText(right['id']));
  };
  return records.toSorted(by).map(({ id }) => asText(id));
}
