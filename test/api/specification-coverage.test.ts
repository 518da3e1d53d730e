import { existsSync, readFileSync } from 'node:fs';
import { isList, isObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { buildWorld, part, text, type World } from '../support/world.ts';
import { kinds, resourceOf, type Kind } from './matrix/bodies.ts';
import { dissociationCells, furtherLinkCells } from './matrix/dissociate.ts';
import {
  aiChartFields,
  contentsFields,
  embeddedOrganization,
  fieldsOf,
  generatedChartFields,
  isOfType,
  recordFields,
  viewFields,
  type FieldTable,
} from './matrix/specified-fields.ts';
import { sentences, type Proof } from './matrix/specified-rules.ts';
import { operationCells } from './matrix/operations.ts';

const root = new URL('../../', import.meta.url);

function isProven(proof: Proof): boolean {
  if ('file' in proof) {
    const file = new URL(proof.file, root);
    return existsSync(file) && readFileSync(file, 'utf8').includes(proof.title);
  }
  if ('kind' in proof) {
    return operationCells().some(({ kind, operation }) => kind === proof.kind && operation === proof.operation);
  }
  return [...dissociationCells(), ...furtherLinkCells()].some(
    ({ first, link }) => first === proof.first && link === proof.link,
  );
}

/** What differs between a record and a table of fields: missing, undocumented, of another type. */
function differences(record: unknown, table: FieldTable, added = ''): readonly string[] {
  if (!isObject(record)) return [`no object: ${JSON.stringify(record)}`];
  const fields = fieldsOf(table);
  const names = new Set([...fields.map(([name]) => name), ...added.split(' ').filter((name) => name !== '')]);
  return [
    ...[...names].filter((name) => !Object.hasOwn(record, name)).map((name) => `${name} is missing`),
    ...Object.keys(record)
      .filter((name) => !names.has(name))
      .map((name) => `${name} is not documented`),
    ...fields
      .filter(([name, type]) => Object.hasOwn(record, name) && !isOfType(type, record[name]))
      .map(([name, type]) => `${name} is no ${type}: ${JSON.stringify(record[name])}`),
  ];
}

const firstOf = (value: unknown): unknown => (isList(value) ? value[0] : undefined);

describe('the tests of docs/specification', () => {
  const named = (listed: typeof sentences) => listed.map(({ says, proof }) => ({ says, ...proof }));

  it('prove every rule of docs/specification', () => {
    expect(named(sentences.filter(({ proof }) => !isProven(proof)))).toEqual([]);
  });
});

describe('the records of docs/specification', () => {
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    service = await startTestService({ store: 'sqlite', settings: { INLAY_SIGNUP: 'true' } });
    world = await buildWorld(service);
  });

  afterAll(async () => {
    await service?.stop();
  });

  const found = async (kind: Kind): Promise<unknown> => {
    const id = await world.shared(kind, 'A');
    const body = { action: 'get', find: { where: { id } } };
    return firstOf(part(await world.must(resourceOf(kind), body, world.organization('A').founder), 'rows'));
  };
  const documented = kinds.filter((kind) => recordFields[kind] !== undefined);

  it.each(documented)('a search for a %s answers exactly the documented fields', async (kind) => {
    const fields = recordFields[kind];
    expect(differences(await found(kind), fields?.documented ?? {}, fields?.added)).toEqual([]);
  });

  it.each(documented)('an update of a %s answers exactly the documented fields', async (kind) => {
    const fields = recordFields[kind];
    const record = await found(kind);
    const name = part(record, 'name');
    const properties =
      kind === 'ssoconfig' ? { protocol: 'OIDC' } : kind === 'account' ? { name, provider: 'postgresql' } : { name };
    const body = { action: 'update', id: text(record, 'id'), properties };
    const updated = await world.must(resourceOf(kind), body, world.organization('A').founder);
    expect(differences(updated, fields?.documented ?? {}, fields?.added)).toEqual([]);
  });

  it('embeds the documented organization object in a plugin', async () => {
    const organization = part(await found('plugin'), 'organization');
    // The switch is added to organizations.
    expect(
      differences(organization, embeddedOrganization, 'flag_experimental_ai require_row_filters feature_overrides'),
    ).toEqual([]);
  });

  it('gives a new dashboard contents with the documented members and a view for each screen', async () => {
    const contents = part(await found('dashboard'), 'contents');
    expect(differences(contents, contentsFields)).toEqual([]);
    const views = part(contents, 'views');
    expect(isList(views) ? views.map((view) => part(view, 'screenModus')) : []).toEqual([
      'desktop',
      'tablet',
      'mobile',
    ]);
    expect(isList(views) ? views.flatMap((view) => differences(view, viewFields)) : []).toEqual([]);
  });

  it('answers an AI chart with the documented members', async () => {
    await world.shared('column', 'A');
    const properties = { dataset_id: await world.shared('dataset', 'A'), type: 'generate-chart' };
    const answer = await service.call('aichart', { properties }, world.organization('A').founder);
    const chart = part(answer.body, 'generatedChart');
    const found = [...differences(answer.body, aiChartFields), ...differences(chart, generatedChartFields)];
    expect(found).toEqual([]);
  });
});
