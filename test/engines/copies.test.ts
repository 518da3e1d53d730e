import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sources, type Source } from '../connectors/sources.ts';
import { bothRows } from '../support/accelerations.ts';
import { useApi } from '../support/api.ts';

/** A table with a column of each type and odd values. */
const statements = {
  clickhouse: [
    `create table odd (id Int64, words Nullable(String), kind LowCardinality(Nullable(String)), flag Nullable(Bool),
       large Nullable(Int64),
       positive Nullable(UInt64), exact Nullable(Decimal(38, 12)), rough Nullable(Float64), single Nullable(Float32),
         day Nullable(Date32),
       at Nullable(DateTime64(6, 'UTC')), zoned Nullable(DateTime('Europe/Brussels')), list Array(Nullable(Int64)),
         tree Map(String, String),
       code Nullable(UUID)) engine = MergeTree order by id`,
    `insert into odd values
       (1, 'a,b"c\\nd''e\\rf', 'x,y', true, 9223372036854775807, 18446744073709551615, '12345678901234567890.123456789012', 0.1,
         1.5, '2024-02-29',
         '2024-02-29 23:59:59.123456', '2024-03-31 03:30:00', [1, null, 3], {'a': 'x,"y'}, '61f0c404-5cb3-11e7-907b-a6006ad3dba0'),
       (2, '', 'y', false, -9223372036854775808, 0, '-0.000000000001', 1e300, -1.5, '1900-01-01', '1969-12-31 23:59:59.000000',
         '1970-01-02 00:00:00', [], {}, null),
       (3, null, null, null, null, null, null, null, null, null, null, null, [], {}, null),
       (4, 'null', 'x', true, 0, 1, 0, -0.0, 0, '2299-12-31', '2299-12-31 23:59:59.999999', '2038-01-19 00:00:00', [7], {'': ''}, null)`,
  ],
  trino: [
    `create table odd (id bigint, words varchar, kind char(4), flag boolean, large bigint, exact decimal(38, 12), small decimal(5, 2),
       rough double,
       single real, day date, at timestamp(6), zoned timestamp(6) with time zone, list array(integer), tree map(varchar,
         varchar), code uuid,
       span interval day to second)`,
    `insert into odd values
       (1, U&'a,b"c\\000Ad''e\\000Df', 'ab', true, 9223372036854775807, decimal '12345678901234567890123456.123456789012', -1.25,
         0.1e0, real '1.5',
         date '2024-02-29', timestamp '2024-02-29 23:59:59.123456', timestamp '2024-02-29 23:59:59.999 Europe/Brussels', array[1,
           null, 3],
         map(array['a'], array['x,"y']), uuid '61f0c404-5cb3-11e7-907b-a6006ad3dba0', interval '26' hour),
       (2, '', '', false, -9223372036854775808, decimal '-0.000000000001', 0.01, 1e300, real '-1.5', date '0001-01-01',
         timestamp '1969-12-31 23:59:59', timestamp '1900-01-01 00:00:00 UTC', array[], map(), null, interval '-1' second),
       (3, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null),
       (4, U&'\\+01F600 null', 'null', true, 0, 0, 0, -0e0, real '0', date '9999-12-31', timestamp '9999-12-31 23:59:59.999999',
         timestamp '2024-10-27 02:30:00 Europe/Brussels', array[7], map(array[''], array['']), null, null),
       (5, 'NaN', 'x', false, 1, 1, 1, nan(), real 'Infinity', date '1970-01-01', timestamp '1970-01-01 00:00:00',
         timestamp '1970-01-01 00:00:00 UTC', array[], map(), null, null)`,
  ],
} as const;

describe.each(['clickhouse', 'trino'] as const)('the values of a copy of a table on %s', (place) => {
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SYNC_METADATA: 'false' });
  let source: Source;
  beforeAll(async () => {
    source = await sources[place]();
    await source.admin(...statements[place]);
  });
  afterAll(() => source?.stop());

  it('are those of the source, of every type and however odd', async () => {
    const { host, port, scope, identifier, token, properties } = source.reach();
    const fields = { provider: place, host, port, scope, identifier, properties, ...(token !== null && { token }) };
    const account = await api.create('account', fields);
    const [copied, rows] = await bothRows(api, account.id, place, 'odd');
    expect(rows).toHaveLength(place === 'trino' ? 5 : 4);
    expect(copied).toEqual(rows);
  });
});
