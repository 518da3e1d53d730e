import { checkTheme, isList, isObject, type Fault, type Json, type JsonObject } from '@inlay/contract';
import { checkContents } from '@inlay/contract/dashboard';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filtersField } from '../../packages/service/src/resource/row-filters.ts';
import { authorization } from '../../packages/service/src/resources/authorization.ts';
import { accessShape, contentsShape, themeShape } from '../../packages/service/src/resources/parts/shapes.ts';
import { counted } from '../support/counts.ts';

type Check = (value: Json, at: string, fault: Fault) => void;

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

const scalars: readonly Json[] = JSON.parse(
  `[null, true, false, 0, 12, -1, 2.5, "", "#1a2b3c", "12px", "anything", "${id}", "none", "S", "left", "solid", "circle",
    "desktop", "read", "where", "global", "? = ?"]`,
);

/** Scalars, as often as not ones that fit a schema. */
function scalarNear(schema: Json | undefined): fc.Arbitrary<Json> {
  const fitting = scalars.filter((value) => isObject(schema) && ajv.validate(schema, value));
  const any = fc.constantFrom(...scalars);
  return fitting.length === 0 ? any : fc.oneof({ arbitrary: fc.constantFrom(...fitting), weight: 1 }, any);
}

/** Random values near a schema: some of its members, each with something that may or may not be right. */
function near(schema: Json | undefined): fc.Arbitrary<Json> {
  const { properties, items, required: wanted = [] } = schema !== undefined && isObject(schema) ? schema : {};
  const scalar = scalarNear(schema);
  if (items !== undefined) return fc.oneof({ arbitrary: fc.array(near(items), { maxLength: 2 }), weight: 9 }, scalar);
  if (properties === undefined || !isObject(properties))
    return fc.oneof({ arbitrary: scalar, weight: 9 }, fc.constant([]));
  const members = fc
    .subarray(Object.keys(properties), { maxLength: Math.min(4, Object.keys(properties).length) })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, near(properties[name])]))));
  const required = isList(wanted) ? wanted.filter((name) => typeof name === 'string') : [];
  const whole = fc.record(Object.fromEntries(required.map((name) => [name, near(properties[name])])));
  const object = fc.tuple(whole, members).map(([one, other]): Json => ({ ...one, ...other }));
  return fc.oneof({ arbitrary: object, weight: 19 }, scalar);
}

const access: Check = authorization.fields['access']?.check ?? (() => undefined);
const cases: readonly (readonly [string, JsonObject, Check, Json])[] = [
  ['a theme', themeShape, checkTheme, { type: 'custom', colors: ['#fff'], title: { align: 'left', bold: true } }],
  ['contents', contentsShape, checkContents, { version: '0.1.99', views: [{ screenModus: 'desktop', items: [] }] }],
  [
    'access',
    accessShape,
    access,
    { dashboards: [{ id, rights: 'use' }], collections: [{ id, inheritRights: 'read' }] },
  ],
  [
    'row filters',
    filtersField.shape,
    filtersField.check,
    [
      { securable_id: id, column_id: id, expression: '? = ?', value: 'North' },
      { securable_id: id, column_id: id, expression: '? = ?', value: 1, clause: 'having' },
      { securable_id: id, column_id: id, expression: '? = ?', value: 1, origin: 'chart', chart_id: 'x' },
    ],
  ],
];

const faultsOf = (check: Check, value: Json): readonly string[] => {
  const faults: string[] = [];
  check(value, 'here', (at, message) => faults.push(`${at} ${message}`));
  return faults;
};

describe('the documented inside of an object', () => {
  it.each(cases)('describes %s', (_what, shape, check, example) => {
    expect(faultsOf(check, example)).toEqual([]);
    expect(ajv.validate(shape, example), JSON.stringify(ajv.errors)).toBe(true);
  });

  it.each(cases)('never refuses %s that the service accepts', (_what, shape, check) => {
    const validate = ajv.compile(shape);
    const kindOf = (value: Json): string => (Array.isArray(value) ? 'array' : typeof value);
    const values = near(shape).filter((value) => value !== null && kindOf(value) === shape['type']);
    const refused = fc.check(
      fc.property(values, (value) => {
        fc.pre(faultsOf(check, value).length === 0);
        return validate(value);
      }),
      { numRuns: counted(700, 20_000), maxSkipsPerRun: 1000 },
    );
    expect(refused.counterexample).toBeNull();
    expect(refused.failed).toBe(false);
  });
});
