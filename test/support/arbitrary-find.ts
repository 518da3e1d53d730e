import fc from 'fast-check';
import type { Json, JsonObject } from '@inlay/contract';
import type { Resource } from '../../packages/service/src/resource/define.ts';
import type { Registry } from '../../packages/service/src/resource/registry.ts';
import { kinds } from '../../packages/service/src/declare/kinds.ts';
import { searchedFields } from '../../packages/service/src/resource/tables.ts';
import { operators } from '../../packages/service/src/search/find.ts';
import { findable } from '../../packages/service/src/search/read-where.ts';
import { hostileJson, likelyValue, type Ids } from './arbitrary.ts';

/** What finds are drawn from. */
export interface Finding {
  readonly registry: Registry;
  readonly ids: Ids;
  /** Values to look for next to likely ones, such as what somebody would like to guess. */
  readonly guesses: readonly string[];
  /** The share of values and names, in percent, that do not fit. */
  readonly wrong: number;
}

const orWrong = ({ wrong }: Finding, right: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  wrong === 0 ? right : fc.oneof({ weight: 100 - wrong, arbitrary: right }, { weight: wrong, arbitrary: hostileJson });

type Use = 'shown' | 'ordered' | 'compared';

/** Names that a search takes: those shown, or those that can be compared and ordered by. */
const namesOf = (resource: Resource, use: Use): readonly string[] =>
  findable(resource).flatMap((name) => {
    const field = resource.fields[name];
    if (field === undefined || (use !== 'shown' && kinds[field.kind].holds === null)) return [];
    return field.kind === 'multilingual' && use !== 'shown' ? [name, `${name}.en`, `${name}.nl-BE`] : [name];
  });

function fieldName(finding: Finding, resource: Resource, use: Use): fc.Arbitrary<string> {
  const names = fc.constantFrom('id', ...namesOf(resource, use));
  if (finding.wrong === 0) return names;
  const strange = fc.constantFrom(
    'token_hash',
    'seq',
    'record',
    'organization.vat',
    '$and',
    'not',
    '',
    'name.',
    '__proto__',
  );
  return fc.oneof({ weight: 20, arbitrary: names }, { weight: 1, arbitrary: strange });
}

const isOperator = (word: string): word is keyof typeof operators => Object.hasOwn(operators, word);

/** `{field: value}` or `{field: {operator: value}}`. */
function term(finding: Finding, resource: Resource): fc.Arbitrary<JsonObject> {
  return fieldName(finding, resource, 'compared').chain((name) => {
    const [plain = ''] = name.split('.');
    const field = Object.hasOwn(resource.fields, plain) ? resource.fields[plain] : undefined;
    const guess = fc.constantFrom<Json>('a', '%', ...finding.guesses);
    const textual = field?.kind === 'multilingual' || field?.kind === 'text' || field?.kind === 'secret';
    const likely = field === undefined || textual ? guess : likelyValue(plain, field, finding.ids);
    const bound = orWrong(finding, likely);
    const value = fc.oneof({ weight: 9, arbitrary: bound }, { weight: 1, arbitrary: fc.constant(null) });
    const isText = textual || kinds[field?.kind ?? 'text'].holds === 'text';
    const operand = (operator: keyof typeof operators): fc.Arbitrary<Json> => {
      const takes = operators[operator];
      if (takes === 'flag') return orWrong(finding, fc.boolean());
      if (takes === 'list') return fc.array(value, { maxLength: 3 });
      if (takes === 'pair') return fc.tuple(bound, bound);
      return takes === 'value' ? value : bound;
    };
    const names = Object.keys(operators).filter(
      (word): word is keyof typeof operators =>
        isOperator(word) && (isText || finding.wrong > 0 || !/text|pattern/u.test(operators[word])),
    );
    const compared = fc
      .tuple(fc.constantFrom(...names), fc.boolean())
      .chain(([operator, dollar]) =>
        operand(operator).map((given) => ({ [dollar ? `$${operator}` : operator]: given })),
      );
    return fc
      .oneof(value, fc.array(value, { maxLength: 3 }), compared, compared)
      .map((given) => Object.fromEntries([[name, given]]));
  });
}

/** Returns a `where` of terms and groups. */
export function whereOf(finding: Finding, resource: Resource): fc.Arbitrary<JsonObject> {
  const one = term(finding, resource);
  const terms = fc.array(one, { minLength: 1, maxLength: 3 });
  const group = fc
    .tuple(fc.constantFrom('and', 'or', 'not', '$and', '$or', '$not'), terms)
    .map(([word, of]) => ({ [word]: of }));
  const deep = fc.tuple(
    fc.constantFrom('and', 'or', 'not'),
    fc.array(fc.oneof(one, group), { minLength: 1, maxLength: 3 }),
  );
  return fc.oneof(
    one,
    group,
    deep.map(([word, of]) => ({ [word]: of })),
    terms.map((of) => Object.assign({}, ...of)),
  );
}

function orderOf(finding: Finding, resource: Resource): fc.Arbitrary<Json> {
  const pair = fc.tuple(fieldName(finding, resource, 'ordered'), fc.constantFrom('asc', 'desc'));
  return orWrong(finding, fc.oneof(pair, fc.array(pair, { maxLength: 2 })));
}

function includeOf(finding: Finding, resource: Resource, depth: number): fc.Arbitrary<Json> {
  const roles = Object.entries(resource.associations ?? {});
  if (roles.length === 0 || depth === 0) return fc.constant([]);
  const one = fc.constantFrom(...roles).chain(([role, { to }]) => {
    const target = finding.registry.resource(to);
    return fc.record(
      {
        model: fc.constant(role),
        where: whereOf(finding, target),
        required: fc.boolean(),
        order: orderOf(finding, target),
        limit: fc.constantFrom(0, 1, 2, 1000),
        attributes: fc.array(fieldName(finding, target, 'shown'), { maxLength: 3 }),
        include: includeOf(finding, target, depth - 1),
      },
      { requiredKeys: ['model'] },
    );
  });
  return fc.array(one, { maxLength: 2 });
}

/** Any `find` of a resource that the grammar of searches allows, and some that it does not. */
export function findOf(finding: Finding, resource: Resource): fc.Arbitrary<JsonObject> {
  const texts = searchedFields(resource);
  return fc
    .record(
      {
        where: whereOf(finding, resource),
        search: fc.record(
          {
            keyphrase: orWrong(finding, fc.constantFrom('a', ...finding.guesses)),
            match_types: fc.array(
              finding.wrong > 0 || texts.length === 0
                ? fieldName(finding, resource, 'shown')
                : fc.constantFrom(...texts),
              { maxLength: 2 },
            ),
          },
          { requiredKeys: ['keyphrase'] },
        ),
        order: orderOf(finding, resource),
        attributes: fc.array(fieldName(finding, resource, 'shown'), { maxLength: 3 }),
        include: includeOf(finding, resource, 2),
        limit: orWrong(finding, fc.constantFrom(0, 1, 2, 10, 1000)),
        offset: orWrong(finding, fc.constantFrom(0, 1, 2)),
      },
      { requiredKeys: [] },
    )
    .map(({ search, ...find }): JsonObject => {
      const phrase = texts.length === 0 && finding.wrong === 0 ? {} : { search };
      return JSON.parse(JSON.stringify({ ...find, ...phrase }));
    });
}
