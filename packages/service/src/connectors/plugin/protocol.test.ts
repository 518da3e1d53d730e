import { describe, expect, it } from 'vitest';
import { datasetsCall, exchangeCall, headerValue, queryCall, type PluginReach } from './protocol.ts';

const reach: PluginReach = {
  name: 'p',
  baseUrl: 'https://plugin.example.com/v1/?tenant=a',
  protocolVersion: '1.9.9',
  pushdown: false,
  secret: 's',
  host: null,
  key: 'me',
  token: 't',
  properties: { region: 'eu', list: [1, 2], off: null, 'bad name\r\nX-Secret: x': 'y' },
  user: { id: null, name: 'Ada', email: null },
};

describe('a call of a plugin', () => {
  it('goes below the base address, whatever that looks like', () => {
    expect(datasetsCall(reach).url).toBe('https://plugin.example.com/v1/datasets?tenant=a');
    expect(datasetsCall({ ...reach, baseUrl: 'https://p.example.com' }).url).toBe('https://p.example.com/datasets');
  });

  it('is a GET for tables before protocol 2.0.0', () => {
    for (const [protocolVersion, method] of [
      ['1.0.0', 'GET'],
      ['1.99.0', 'GET'],
      ['2.0.0', 'POST'],
      ['10.0.0', 'POST'],
    ] as const)
      expect([protocolVersion, datasetsCall({ ...reach, protocolVersion }).method]).toEqual([protocolVersion, method]);
  });

  it('carries what is set, and no header that its name or value could break out of', () => {
    expect(datasetsCall(reach).headers).toEqual({
      'X-Secret': 's',
      'X-Key': 'me',
      'X-Token': 't',
      'X-Property-region': 'eu',
      'X-Property-list': '[1,2]',
    });
    for (const [value, carried] of [
      ['plain text, 100 %', 'plain text, 100 %'],
      ['a\r\nX-Secret: b', 'a%0D%0AX-Secret: b'],
      [' é\u0000 ', '%20%C3%A9%00%20'],
      ['\ud800x', '%EF%BF%BDx'],
    ] as const)
      expect(headerValue(value)).toBe(carried);
  });

  it('says the same in its body', () => {
    expect(JSON.parse(exchangeCall(reach, 'c').body ?? '')).toEqual({
      host: null,
      key: 'me',
      token: 't',
      properties: reach.properties,
      user: { id: null, name: 'Ada', email: null },
      code: 'c',
    });
    const filters = [{ column_id: 'a', expression: 'in', value: [1, null] }] as const;
    const query = { id: 'd', columns: [{ column_id: 'a' }], filters, options: { pushdown: false } };
    expect(JSON.parse(queryCall(reach, query).body ?? '')).toMatchObject(query);
  });
});
