import { createConnection } from 'mysql2/promise';
import { describe, expect, it } from 'vitest';
import { bothRows } from '../support/accelerations.ts';
import { useApi } from '../support/api.ts';
import { haveMariadb, startMariadb } from '../support/mariadb.ts';
import { havePostgresServer } from '../support/service.ts';
import { openShop } from '../support/shop-database.ts';

describe('the values of a copy', () => {
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SYNC_METADATA: 'false' });

  it.runIf(havePostgresServer)('are those of PostgreSQL, of every type and however odd', async () => {
    const shop = await openShop(api);
    await shop.run(
      `create table odd (id integer primary key, words text, flag boolean, large bigint, exact numeric(30, 12), free numeric,
        rough double precision, single real, day date, at timestamp, zoned timestamptz, tree jsonb, list integer[], raw bytea, span interval,
        padded char(5), price money, address inet);
      insert into odd values
        (1, 'a,b"c' || chr(10) || 'd''e' || chr(13) || 'f', true, 9223372036854775807, 123456789012345678.123456789012, 0.1,
          0.1, 1.5, '2024-02-29', '2024-02-29 23:59:59.123456', '2024-02-29 23:59:59.999+02', '{"a": [1, "x,\\"y"]}', '{1,null,3}',
          '\\x00ff', '1 day 02:03:04', 'ab', 1.5, '10.0.0.1/8'),
        (2, '', false, -9223372036854775808, -0.000000000001, 12345678901234567890, 1e300, -0.0, '0001-01-01',
          '1969-12-31 23:59:59', '1900-01-01 00:00:00+00', 'null', '{}', '', '-1 year', '', -0.01, '::1'),
        (3, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null),
        (4, 'null', true, 0, 0, 1e-10, 'NaN', 'Infinity', 'infinity', '-infinity', 'infinity', '""', '{}', '', '0', 'null', 0, '0.0.0.0'),
        (5, '\\N' || chr(9) || E'\\u00e9\\U0001F600', false, 1, 1, 1, 5e-324, 3.4e38, '9999-12-31', '9999-12-31 23:59:59.999999',
          '9999-12-31 23:59:59+00', '[]', '{7}', '\\x0a', '1 month', '  a', 9, '127.0.0.1')`,
    );
    const [copied, rows] = await bothRows(api, shop.accountId, 'postgresql', 'public.odd');
    expect(copied).toEqual(rows);
  });

  it.runIf(havePostgresServer).each(['0.123456789012', '1234567890123456789012345'])(
    'are exact where a late row of a large table has more digits than all before: %s',
    async (number) => {
      const shop = await openShop(api);
      await shop.run(
        `create table late (id integer primary key, amount numeric, words text);
          insert into late select n, round(n / 10.0, 1), 'word ' || n % 5 from generate_series(1, 200100) n;
          update late set amount = ${number}, words = 'another' where id = 200095`,
      );
      const [copied, rows] = await bothRows(api, shop.accountId, 'postgresql', 'public.late', 10);
      expect(JSON.stringify(rows)).toContain(number);
      expect(copied).toEqual(rows);
    },
  );

  it.skipIf(haveMariadb() !== undefined)('are those of MariaDB, of every type and however odd', async () => {
    const server = await startMariadb();
    const link = await createConnection({
      host: '127.0.0.1',
      port: server.port,
      user: 'root',
      multipleStatements: true,
    });
    await link.query(
      `create database odd; use odd; create table odd (id int primary key, words text character set utf8mb4, flag tinyint(1),
        large bigint, positive bigint unsigned, exact decimal(30, 12), rough double, single float, day date, at datetime(6),
        tree json, kind enum('a', 'b,c'));
      insert into odd values
        (1, concat('a,b"c', char(10), 'd', char(13), 'e'), 1, 9223372036854775807, 18446744073709551615,
          123456789012345678.123456789012, 0.1, 1.5, '2024-02-29', '2024-02-29 23:59:59.123456', '{"a": [1, "x"]}', 'b,c'),
        (2, '', 0, -9223372036854775808, 0, -0.000000000001, 1e300, -1.5, '1000-01-01', '1969-12-31 23:59:59', 'null', 'a'),
        (3, null, null, null, null, null, null, null, null, null, null, null),
        (4, 'null', 1, 0, 1, 0, -1e-300, 0, '9999-12-31', '9999-12-31 23:59:59.999999', '""', 'a')`,
    );
    await link.end();
    const account = await api.create('account', {
      provider: 'mysql',
      host: '127.0.0.1',
      port: String(server.port),
      scope: 'odd',
      identifier: 'root',
      token: '',
    });
    const [copied, rows] = await bothRows(api, account.id, 'mysql', 'odd');
    expect(copied).toEqual(rows);
    await server.stop();
  });
});
