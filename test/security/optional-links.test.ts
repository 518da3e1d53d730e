import type { Json, JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

interface Pushed {
  readonly id: string;
  readonly columns: ReadonlyMap<string, string>;
}

/** The tables of a helpdesk: each company has agents, and a ticket has a company and, once somebody took it, an agent. */
const tables = {
  companies: [
    ['id', 'name'],
    ['nordlys', 'Nordlys'],
    ['sakura', 'Sakura'],
  ],
  agents: [
    ['id', 'company_id'],
    ['a1', 'nordlys'],
    ['a2', 'sakura'],
  ],
  tickets: [
    ['id', 'company_id', 'agent_id'],
    ['t1', 'nordlys', 'a1'],
    ['t2', 'nordlys', null],
    ['t3', 'nordlys', 'a2'],
    ['t4', 'sakura', null],
    ['t5', 'sakura', 'a2'],
    ['t6', null, null],
    ['t7', null, 'a1'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly Json[])[]>>;

describe.each(storesToTest)('rows whose optional key is empty, on %s', (store) => {
  const api = useApi(store);
  const pushed = new Map<string, Pushed>();
  const dataset = (name: string): Pushed => pushed.get(name) ?? { id: '', columns: new Map() };
  const column = (name: string, of: string): string => dataset(of).columns.get(name) ?? '';
  let filter: JsonObject;

  beforeAll(async () => {
    for (const [name, data] of Object.entries(tables)) {
      const { id } = await api.create('data', { type: 'create', data, options: { header: true, name: { en: name } } });
      const found = await api.find('column', { where: { securable_id: id } });
      pushed.set(name, { id, columns: new Map(found.map((row) => [text(row, 'source_name'), text(row, 'id')])) });
    }
    await link('company_id', 'agents', 'id', 'companies');
    await link('company_id', 'tickets', 'id', 'companies');
    await link('agent_id', 'tickets', 'id', 'agents');
    filter = {
      securable_id: dataset('companies').id,
      column_id: column('id', 'companies'),
      expression: '? = ?',
      value: 'nordlys',
    };
  });

  const link = (from: string, of: string, to: string, other: string, properties: object = {}) =>
    api.associate('column', column(from, of), 'Joins', column(to, other), { type: 'lookup', ...properties });
  const tokenOf = (names: readonly string[] = ['tickets']): JsonObject => ({
    type: 'embed',
    username: 'ada',
    filters: [filter],
    access: { datasets: names.map((name) => ({ id: dataset(name).id, rights: 'use' })) },
  });
  const ticketsOf = async (by: Credential): Promise<readonly unknown[]> => {
    const id = { dataset_id: dataset('tickets').id, column_id: column('id', 'tickets') };
    const answer = await api.ok('data', { action: 'get', find: { dimensions: [id], measures: [] } }, by);
    const rows = answer['data'];
    return Array.isArray(rows)
      ? rows.map((row: unknown) => String(part(Array.isArray(row) ? row[0] : null, 'id'))).toSorted()
      : [];
  };
  const warned = (body: JsonObject): readonly string[] =>
    (Array.isArray(body['warnings']) ? body['warnings'] : [])
      .filter((one: Json) => part(one, 'code') === 'row_filter_hides_empty_keys')
      .map((one: Json) => String(part(one, 'message')));

  it('are nothing for a link that no row filter follows', async () => {
    const refused = await api.refused('column', {
      action: 'associate',
      id: column('agent_id', 'tickets'),
      resource: { role: 'Joins', id: column('id', 'agents') },
      properties: { type: 'exact', optional: true },
    });
    expect(refused).toMatchObject({
      status: 400,
      validation: { 'properties.optional': [expect.stringMatching(/^is of a lookup alone/u)] },
    });
  });

  it('are hidden, and whoever makes the token is told how many there are and what helps', async () => {
    const made = await api.ok('authorization', { action: 'create', properties: tokenOf() });
    const [agents, companies, ...others] = warned(made).toSorted();
    expect(others).toEqual([]);
    expect(companies).toMatch(/^3 rows of dataset "tickets" without a value in "agent id" are hidden .*"companies"/iu);
    expect(agents).toMatch(/^2 rows of dataset "tickets" without a value in "company id" are hidden .*"companies"/iu);
    expect(companies).toContain('"optional": true');
    const checked = await api.refused('authorization', { action: 'validate', properties: tokenOf() });
    expect(JSON.stringify(checked.validation)).toContain('are hidden by the row filter');
    expect(await api.ok('authorization', { action: 'validate', properties: tokenOf(['companies']) })).toEqual({
      code: 200,
    });
    expect(await ticketsOf(await api.embedToken(tokenOf()))).toEqual(['t1']);
    const login = { type: 'login', email: 'ada@example.com', password: 'a password of hers' };
    expect(await api.refused('authorization', { action: 'validate', properties: login })).toMatchObject({
      status: 400,
      validation: { 'properties.type': [expect.stringContaining('is not checked by validate')] },
    });
  });

  it('are shown by an optional link where another path shows them, and by no other', async () => {
    await link('agent_id', 'tickets', 'id', 'agents', { optional: true });
    expect(await ticketsOf(await api.embedToken(tokenOf()))).toEqual(['t1', 't2']);
    const made = await api.ok('authorization', { action: 'create', properties: tokenOf() });
    expect(warned(made)).toEqual([
      expect.stringMatching(/^2 rows of dataset "tickets" without a value in "company id"/iu),
    ]);
    // Both optional: a row that no path shows stays hidden, and so does one that a path hides.
    await link('company_id', 'tickets', 'id', 'companies', { optional: true });
    expect(await ticketsOf(await api.embedToken(tokenOf()))).toEqual(['t1', 't2', 't7']);
    await link('company_id', 'tickets', 'id', 'companies', { optional: false });
    await link('agent_id', 'tickets', 'id', 'agents', { optional: false });
    expect(await ticketsOf(await api.embedToken(tokenOf()))).toEqual(['t1']);
  });

  it('stay hidden where the optional link is the only path, and where another filter bounds its dataset', async () => {
    await link('agent_id', 'tickets', 'id', 'agents', { optional: true });
    const agentFilter = {
      ...filter,
      securable_id: dataset('agents').id,
      column_id: column('id', 'agents'),
      value: 'a1',
    };
    const both = { ...tokenOf(), filters: [filter, agentFilter] };
    expect(await ticketsOf(await api.embedToken(both))).toEqual(['t1']);
    const onlyAgents = { ...tokenOf(), filters: [agentFilter] };
    expect(await ticketsOf(await api.embedToken(onlyAgents))).toEqual(['t1', 't7']);
    await link('agent_id', 'tickets', 'id', 'agents', { optional: false });
  });

  it('are those that store nothing, whatever type their column is given', async () => {
    await link('agent_id', 'tickets', 'id', 'agents', { optional: true });
    const type = (word: string) => api.update('column', column('agent_id', 'tickets'), { type: word });
    await type('numeric');
    const seen = await ticketsOf(await api.embedToken(tokenOf()));
    expect(seen.filter((id) => id !== 't1')).toEqual(['t2']);
    await type('hierarchy');
    expect(await ticketsOf(await api.embedToken(tokenOf()))).toEqual(['t1', 't2']);
    await link('agent_id', 'tickets', 'id', 'agents', { optional: false });
  });

  it('are opened by nobody whom row filters bound', async () => {
    const person = await api.person({ flagMember: true });
    const own = { ...filter, securable_id: dataset('tickets').id, column_id: column('company_id', 'tickets') };
    const grant = { flagModify: true, filters: [own] };
    await api.associate('securable', dataset('tickets').id, 'Users', person.id, grant);
    await api.associate('securable', dataset('agents').id, 'Users', person.id, { flagModify: true });
    const body = {
      action: 'associate',
      id: column('agent_id', 'tickets'),
      resource: { role: 'Joins', id: column('id', 'agents') },
      properties: { type: 'lookup', optional: true },
    };
    expect((await api.refused('column', body, person.login)).status).toBe(403);
  });

  it('are counted anew with each version of the dataset, for those who see all rows', async () => {
    const counted = async (by?: Credential) => (await api.get('dataset', dataset('tickets').id, by))['empty_values'];
    expect(await counted()).toEqual({ company_id: 2, agent_id: 3 });
    const push = { type: 'append', securable_id: dataset('tickets').id, data: [['t8', 'nordlys', null]], options: {} };
    await api.ok('data', { action: 'create', properties: push });
    expect(await counted()).toEqual({ company_id: 2, agent_id: 4 });
    expect(await counted(await api.embedToken(tokenOf()))).toBeNull();
    const { filters: _filters, ...unfiltered } = tokenOf();
    const hiding = await api.embedToken({ ...unfiltered, hidden_columns: [column('agent_id', 'tickets')] });
    expect(await counted(hiding)).toBeNull();
    expect(await counted(await api.embedToken(unfiltered))).toEqual({ company_id: 2, agent_id: 4 });
  });
});
