import fc from 'fast-check';
import type { Credential } from './service.ts';

const manyMembers = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"field_${index}":${index}`).join(',')}}`;

/** Bodies that cost something: deep, long, wide. Text, for no serialiser makes them. */
export function heavyBodies(credential: Credential): fc.Arbitrary<string> {
  const { key, token } = credential;
  const wrapped = (inner: string): string => `{"key":"${key}","token":"${token}",${inner}}`;
  const depth = fc.constantFrom(63, 64, 65, 1000, 100_000, 500_000);
  const deep = fc
    .tuple(depth, fc.boolean())
    .map(([levels, closed]) => '['.repeat(levels) + (closed ? ']'.repeat(levels) : ''));
  const long = fc
    .constantFrom(10_000, 10_001, 700_000, 1_000_000, 2_000_000)
    .map((length) => JSON.stringify('x"\\'.repeat(length / 4)));
  const wide = fc.constantFrom(100, 9_990, 60_000).map(manyMembers);
  const list = fc
    .constantFrom(1000, 10_000, 100_000)
    .map((length) => `[${Array.from({ length }, () => '"a"').join(',')}]`);
  const lists = fc.constantFrom(5, 25).map((count) => {
    const one = `{"name.en":{"in":[${Array.from({ length: 9_999 }, () => '"a"').join(',')}]}}`;
    return wrapped(`"find":{"where":{"or":[${Array.from({ length: count }, () => one).join(',')}]}}`);
  });
  const comments = wrapped(
    `"action":"create","properties":{"type":"dashboard","css":${JSON.stringify('/* '.repeat(21_000))}}`,
  );
  const places = fc.constantFrom('properties', 'find', 'associations', 'id', 'resource', 'action', 'key', 'theme');
  const inside = fc
    .tuple(places, fc.oneof(deep, long, wide, list))
    .map(([place, inner]) => wrapped(`"action":"create","${place}":${inner}`));
  const where = fc
    .oneof(wide, list, long)
    .map((inner) => wrapped(`"find":{"where":${inner},"attributes":${inner},"order":${inner}}`));
  const terms = fc.constantFrom(200, 201, 3000).map((count) => {
    const one = Array.from({ length: count }, (_, index) => `{"id":{"$ne":null},"name.en":{"like":"%${index}_"}}`).join(
      ',',
    );
    return wrapped(`"find":{"where":{"or":[${one}]}}`);
  });
  const wordy = fc.constantFrom(5, 50).map((length) => {
    const named = Array.from({ length: 9_900 }, (_, index) => `"${'nam'.repeat(length / 3)}${index}":1`).join(',');
    return wrapped(`"action":"create","properties":{${named}}`);
  });
  return fc.oneof(inside, where, deep, terms, lists, wordy, fc.constant(comments));
}
