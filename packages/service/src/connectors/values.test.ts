import { describe, expect, test } from 'vitest';
import { encryptionOf } from './session/encryption.ts';
import { isoTime } from './storage-types.ts';
import { clickhouseMeaning, isNullable } from './clickhouse/types.ts';
import { trinoMeaning } from './trino/types.ts';
import { postgresql } from './postgresql/provider.ts';
import { checkConnectorProperties, databaseOptions, databaseProperties } from './properties.ts';
import { providerOf } from './providers.ts';
import { tableId, tablePath } from './table-id.ts';

describe('a time of a database', () => {
  test.each([
    ['2024-02-29', '2024-02-29'],
    ['2024-02-29 12:34:56', '2024-02-29T12:34:56.000Z'],
    ['2024-02-29 12:34:56.7', '2024-02-29T12:34:56.700Z'],
    ['2024-02-29 12:34:56.789012', '2024-02-29T12:34:56.789012Z'],
    ['2024-02-29 12:34:56.789+00', '2024-02-29T12:34:56.789Z'],
    ['0044-03-15 BC', '-000043-03-15'],
    ['0001-01-01 00:00:00 BC', '0000-01-01T00:00:00.000Z'],
    ['12024-01-01', '+012024-01-01'],
    ['infinity', null],
    ['0000-00-00', null],
    ['2024-00-10 00:00:00', null],
  ])('%s is %s here', (text, expected) => {
    expect(isoTime(text)).toBe(expected);
  });
});

describe('the id of a table', () => {
  test.each([
    [['public', 'orders']],
    [['odd.schema', 't"a.b']],
    [['größe', '名前']],
    [['one']],
    [['', 'x'.repeat(63)]],
  ])('gives its name again: %j', (path) => {
    if (path.includes('')) expect(() => tablePath(tableId(path))).toThrow('no table');
    else expect(tablePath(tableId(path))).toEqual(path);
  });

  test.each(['', '.', 'a.', '.a', 'a b', '"a', 'a"b"', '"a\0"', 'a;drop', '1a'])('is not %j', (text) => {
    expect(() => tablePath(text)).toThrow('no table');
  });
});

describe('the properties of an account', () => {
  const faults = (properties: Parameters<typeof checkConnectorProperties>[1]): readonly string[] => {
    const found: string[] = [];
    checkConnectorProperties(postgresql.properties, properties, (member) => found.push(member));
    return found;
  };

  test('are a list of what is allowed: nothing names a file, a socket or a statement', () => {
    for (const name of [
      'sslrootcert',
      'sslkey',
      'options',
      'socketPath',
      'init',
      'localInfile',
      'connectionString',
      '__proto__',
    ])
      expect(faults({ [name]: '/etc/passwd' })).toEqual([name]);
  });

  test('have the right kind each', () => {
    expect(
      faults({ ssl: 'require', connect_timeout: 5, schema: 'sales', application_name: 'x', ssl_ca: null }),
    ).toEqual([]);
    expect(
      faults({ ssl: 'prefer', connect_timeout: 0, schema: 5, application_name: 'a\nb', ssl_ca: '/etc/ca.pem' }),
    ).toEqual(['ssl', 'connect_timeout', 'schema', 'application_name', 'ssl_ca']);
    expect(() => databaseProperties(databaseOptions, { schema: 'x' })).toThrow('"schema"');
  });

  test('belong to providers by their usual names', () => {
    expect(
      ['postgres', 'PostgreSQL', 'mariadb', 'mysql', 'duckdb', 'oracle', null].map((name) => providerOf(name)?.name),
    ).toEqual(['postgresql', 'postgresql', 'mysql', 'mysql', 'duckdb', undefined, undefined]);
  });
});

describe('encryption', () => {
  test('is checked towards public addresses unless somebody says otherwise', () => {
    expect(encryptionOf('auto', '93.184.215.14', true)).toBe('verified');
    expect(encryptionOf('auto', undefined, true)).toBe('verified');
    expect(() => encryptionOf('auto', '93.184.215.14', false)).toThrow('offers no encryption');
    expect(encryptionOf('auto', '10.0.0.7', true)).toBe('unverified');
    expect(encryptionOf('auto', '10.0.0.7', false)).toBe('none');
    expect(encryptionOf('verify-full', '10.0.0.7', true)).toBe('verified');
    expect(encryptionOf('require', '93.184.215.14', true)).toBe('unverified');
    expect(encryptionOf('disable', '93.184.215.14', true)).toBe('none');
  });
});

describe('a type of ClickHouse', () => {
  test.each([
    ['LowCardinality(Nullable(String))', 'text', true],
    ['Nullable(UInt64)', 'integer', true],
    ['UInt256', 'decimal', false],
    ['Decimal(24, 6)', 'decimal', false],
    ["DateTime('Europe/Brussels')", 'timestamptz', false],
    ["Nullable(DateTime64(6, 'UTC'))", 'timestamptz', true],
    ['SimpleAggregateFunction(sum, Float64)', 'double', false],
    ["Enum8('a' = 1, 'b' = 2)", 'text', false],
    ['Array(Nullable(UInt8))', 'json', false],
    ['Map(String, UInt64)', 'json', false],
    ['JSON(max_dynamic_paths=8)', 'json', false],
    ['Variant(String, UInt8)', 'json', true],
    ['FixedString(3)', 'text', false],
  ])('%s is %s here', (type, storageType, nullable) => {
    expect([clickhouseMeaning(type)[0], isNullable(type)]).toEqual([storageType, nullable]);
  });
});

describe('a type of Trino', () => {
  test.each([
    ['bigint', 'integer'],
    ['decimal(38,6)', 'decimal'],
    ['real', 'double'],
    ['varchar(20)', 'text'],
    ['char(3)', 'text'],
    ['timestamp(6)', 'timestamp'],
    ['timestamp(3) with time zone', 'timestamptz'],
    ['time(3) with time zone', 'text'],
    ['interval day to second', 'text'],
    ['array(decimal(10,2))', 'json'],
    ['row(a bigint, "b" varchar)', 'json'],
    ['map(varchar, timestamp(3) with time zone)', 'json'],
    ['varbinary', undefined],
    ['HyperLogLog', undefined],
    ['qdigest(bigint)', undefined],
  ])('%s is %s here', (type, storageType) => {
    expect(trinoMeaning(type)?.[0]).toBe(storageType);
  });
});
