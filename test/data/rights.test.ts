import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { buildWorld, type Actor, type World } from '../support/world.ts';

type Expected = Readonly<Partial<Record<Actor, string>>>;

/*
 * Who may ask a dataset for rows: use on it, by the person, a group, a collection or an embed token. 403
 * where the caller sees it, 400 where it does not exist for them. The dataset has no rows: whoever passes
 * is told so.
 */
const rows: Expected = {
  member: '400 dataset_unknown',
  editor: '400 dataset_unknown',
  owner: '400 dataset_unknown',
  admin: '400 rows_missing',
  reader: '403 forbidden',
  user: '400 rows_missing',
  modifier: '400 rows_missing',
  entityOwner: '400 rows_missing',
  throughGroup: '400 rows_missing',
  throughCollection: '400 rows_missing',
  embedViewer: '403 forbidden',
  embedDesigner: '400 rows_missing',
  ownerOfB: '400 dataset_unknown',
  anonymous: '401 credentials_missing',
  expired: '401 credentials_invalid',
  revoked: '401 credentials_invalid',
};

/* Who may list the tables of a connection: use on the account; embed tokens never. The provider is unknown here. */
const tables: Expected = {
  member: '400 reference_unknown',
  editor: '400 reference_unknown',
  owner: '400 reference_unknown',
  admin: '400 reference_unknown',
  reader: '403 forbidden',
  user: '400 provider_unknown',
  modifier: '400 provider_unknown',
  entityOwner: '400 provider_unknown',
  throughGroup: '400 provider_unknown',
  throughCollection: '400 reference_unknown',
  embedViewer: '403 forbidden',
  embedDesigner: '403 forbidden',
  ownerOfB: '400 reference_unknown',
  anonymous: '401 credentials_missing',
};

/* Who may make datasets of them: an Organization Editor with use on the account. */
const datasets: Expected = {
  member: '400 reference_unknown',
  editor: '400 reference_unknown',
  // An owner of the whole organization sees that the account is there.
  admin: '403 forbidden',
  reader: '403 forbidden',
  user: '403 forbidden',
  entityOwner: '403 forbidden',
  embedDesigner: '400 reference_unknown',
  ownerOfB: '400 reference_unknown',
  anonymous: '401 credentials_missing',
};

describe.each(storesToTest)('rights on data on %s', (store) => {
  const api = useApi(store);
  let world: World;
  beforeAll(async () => {
    world = await buildWorld(api.service);
  });

  const actors = (expected: Expected): readonly Actor[] =>
    (['member', 'editor', 'owner', 'admin', 'reader', 'user', 'modifier', 'entityOwner', 'throughGroup'] as const)
      .map((actor): Actor => actor)
      .concat('throughCollection', 'embedViewer', 'embedDesigner', 'ownerOfB', 'anonymous', 'expired', 'revoked')
      .filter((actor) => expected[actor] !== undefined);

  async function told(expected: Expected, resource: string, body: object): Promise<Expected> {
    const found: Partial<Record<Actor, string>> = {};
    for (const actor of actors(expected)) {
      const { status, code } = await api.refused(resource, body, world.credential(actor) ?? null);
      found[actor] = `${status} ${code}`;
    }
    return found;
  }

  it('gives rows to whoever may use the dataset, and to nobody else', async () => {
    const id = await world.shared('dataset', 'A');
    const body = { action: 'get', find: { measures: [{ dataset_id: id, column_id: '*' }] } };
    expect(await told(rows, 'data', body)).toEqual(rows);
  });

  it('exports rows for whoever may use the dataset, and for nobody else', async () => {
    const id = await world.shared('dataset', 'A');
    const query = { measures: [{ dataset_id: id, column_id: '*' }] };
    const body = { action: 'create', properties: { type: 'csv', query } };
    expect(await told(rows, 'export', body)).toEqual(rows);
  });

  it('lists tables for whoever may use the connection, and for nobody else', async () => {
    const body = { action: 'get', find: { account_id: await world.shared('account', 'A') } };
    expect(await told(tables, 'dataprovider', body)).toEqual(tables);
  });

  it('makes datasets for editors who may use the connection, and for nobody else', async () => {
    const properties = { account_id: await world.shared('account', 'A'), datasets: ['public.orders'] };
    expect(await told(datasets, 'dataprovider', { action: 'create', properties })).toEqual(datasets);
  });

  it('answers the same for a dataset that is hidden as for one that does not exist', async () => {
    const hidden = await world.shared('dataset', 'A');
    const absent = '01890a5d-ac96-774b-bcce-b302099a8057';
    const body = async (id: string): Promise<string> => {
      const find = { measures: [{ dataset_id: id, column_id: '*' }] };
      const answer = await api.call('data', { action: 'get', find }, world.credential('ownerOfB'));
      const { request_id: _request, ...said } = Object(answer.body);
      return JSON.stringify([answer.status, said]).replaceAll(id, 'the dataset');
    };
    expect(await body(hidden)).toBe(await body(absent));
  });
});
