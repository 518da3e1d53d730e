import { BlockList, isIP } from 'node:net';
import { decodeKey, makeKey } from './keys.ts';
import { weakPassword, weakToken } from './weak-keys.ts';

/** The parsed value of a setting, or why the value is invalid and how to fix it. */
export type ParsedSetting<Value> = { readonly value: Value } | { readonly problem: string; readonly fix: string };

/** Format of a kind of setting. `description` is its type in the settings reference. */
export interface SettingKind<Value> {
  readonly description: string;
  read(text: string): ParsedSetting<Value>;
}

const textOf = <Value extends string>(
  description: string,
  fix: string,
  test: (text: string) => text is Value,
): SettingKind<Value> => ({
  description,
  read: (text) => (test(text) ? { value: text } : { problem: `is not ${description}`, fix }),
});

const textMatching = (description: string, fix: string, form: RegExp): SettingKind<string> =>
  textOf(description, fix, (text): text is string => form.test(text));

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

export const anyText: SettingKind<string> = { description: 'text', read: (text) => ({ value: text }) };

export const yesOrNo: SettingKind<boolean> = {
  description: '`true` or `false`',
  read: (text) =>
    text === 'true' || text === 'false'
      ? { value: text === 'true' }
      : { problem: 'is neither true nor false', fix: 'Write true or false.' },
};

export function oneOf<const Word extends string>(words: readonly Word[]): SettingKind<Word> {
  const description = words.map((word) => `\`${word}\``).join(', ');
  return textOf(`one of ${description}`, `Write ${words.join(', ')}.`, (text): text is Word =>
    words.some((word) => word === text),
  );
}

/** Returns the format of a whole number between two bounds, both included. */
export const whole = (from: number, to: number): SettingKind<number> => ({
  description: `whole number ${from} to ${to}`,
  read: (text) => {
    const value = /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN;
    return value >= from && value <= to
      ? { value }
      : { problem: `is not a whole number from ${from} to ${to}`, fix: 'Write digits only, within these bounds.' };
  },
});

/** Returns the format of a comma-separated list. Empty entries are ignored. */
export const listOf = <Value>(kind: SettingKind<Value>): SettingKind<readonly Value[]> => ({
  description: `${kind.description}; several are separated by commas`,
  read: (text) => {
    const values: Value[] = [];
    for (const piece of text.split(',').map((part) => part.trim())) {
      const result = piece === '' ? undefined : kind.read(piece);
      if (result !== undefined && 'problem' in result)
        return { ...result, problem: `has an entry that ${result.problem}` };
      if (result !== undefined) values.push(result.value);
    }
    return { value: values };
  },
});

export const uuid = textMatching(
  'a UUID',
  'Make one with: uuidgen',
  /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u,
);

export const email = textMatching(
  'an e-mail address',
  'Write it as name@example.com.',
  /^[^\s@]{1,64}@[^\s@]{1,190}$/u,
);

function withoutSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

export const baseUrl: SettingKind<string> = {
  description: 'an http or https address',
  read: (text) => {
    const url = urlOf(text);
    const isPlainUrl =
      url !== undefined && /^https?:$/u.test(url.protocol) && `${url.username}${url.search}${url.hash}` === '';
    return isPlainUrl
      ? { value: withoutSlashes(url.href) }
      : { problem: 'is not an http or https address', fix: 'Write it as https://analytics.example.com.' };
  },
};

export const postgresUrl: SettingKind<string> = {
  description: 'a postgres:// address',
  read: (text) => {
    const url = urlOf(text);
    return url !== undefined &&
      /^postgres(?:ql)?:$/u.test(url.protocol) &&
      url.hostname !== '' &&
      url.pathname.length > 1
      ? { value: text }
      : { problem: 'is not a postgres:// address', fix: 'Write it as postgres://user:password@host:5432/database.' };
  },
};

/** Where a cluster is, and the schema that holds the tables of this service. */
export interface ClusterAddress {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly catalog: string;
  readonly schema: string;
  /** Mode of encryption, as the property `ssl` of accounts. */
  readonly ssl: string;
}

const clusterPath = /^\/([a-z][a-z0-9_]{0,60})\/([a-z][a-z0-9_]{0,60})$/u;
const clusterUser = /^[\w.-]{1,100}$/u;
const clusterSearch = /^(?:\?ssl=(auto|disable|require|verify-full))?$/u;

/** Reads the address of a cluster, without a password. */
export const clusterAddress: SettingKind<ClusterAddress> = {
  description: 'a trino:// address',
  read: (text) => {
    const url = urlOf(text);
    const path = clusterPath.exec(url?.pathname ?? '');
    const search = clusterSearch.exec(url?.search ?? '');
    const isPlain = url?.protocol === 'trino:' && `${url.password}${url.hash}` === '';
    if (!isPlain || path === null || search === null || !clusterUser.test(url.username) || url.port === '')
      return {
        problem: 'is not an address such as trino://user@host:port/catalog/schema',
        fix: 'Write user, host, port, catalog and schema, names in lower case, and the password in INLAY_CLUSTER_PASSWORD.',
      };
    const [, catalog = '', schema = ''] = path;
    const [, ssl = 'auto'] = search;
    const host = url.hostname.replace(/^\[|\]$/gu, '');
    return { value: { host, port: url.port, user: url.username, catalog, schema, ssl } };
  },
};

/** Where files for a cluster are: a folder, or a prefix of keys in a bucket of an object store. */
export type ClusterFiles =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      /** With a slash at its end; empty for the whole bucket. */
      readonly prefix: string;
    };

const bucketName = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/u;
const prefixForm = /^(?:\/[\w.-]+)*\/?$/u;

/** Reads the address of a bucket and a prefix, as `s3://bucket/prefix`; undefined if it is not one. */
function bucketAddress(text: string): ClusterFiles | undefined {
  const url = urlOf(text);
  const isPlain = url?.protocol === 's3:' && `${url.username}${url.port}${url.search}${url.hash}` === '';
  if (!isPlain || !bucketName.test(url.hostname) || url.pathname.length > 500 || !prefixForm.test(url.pathname))
    return undefined;
  const prefix = withoutSlashes(url.pathname).slice(1);
  return { kind: 's3', bucket: url.hostname, prefix: prefix === '' ? '' : `${prefix}/` };
}

/** Reads where files for a cluster are. */
export const clusterFiles: SettingKind<ClusterFiles> = {
  description: 'an absolute path, or an s3:// address',
  read: (text) => {
    const value: ClusterFiles | undefined = /^\/./u.test(text) ? { kind: 'folder', path: text } : bucketAddress(text);
    return value === undefined
      ? {
          problem: 'is neither an absolute path nor an address such as s3://bucket/prefix',
          fix: 'Write a path from the root, such as /mnt/shared, or bucket and prefix, such as s3://analytics/inlay.',
        }
      : { value };
  },
};

export const region = textMatching('the name of a region', 'Write it as us-east-1.', /^[a-z\d-]{1,40}$/u);

export const accessKey = textMatching(
  'an access key',
  'Write 1 to 128 characters without spaces.',
  /^[\x21-\x7e]{1,128}$/u,
);

export const location = textMatching(
  'the address of a folder, such as `local:///inlay`',
  'Write it as the cluster names the folder, such as file:///mnt/shared.',
  /^[a-z][a-z0-9]{0,9}:\/\/[^\s'?#]{1,500}$/u,
);

export const origin: SettingKind<string> = {
  description: 'an exact origin',
  read: (text) => {
    if (text === '*')
      return {
        problem: 'is *, which would let every site on the internet read answers with the token of its visitor',
        fix: 'Name each origin, such as https://app.example.com.',
      };
    const url = urlOf(text);
    return url !== undefined && url.origin === text && /^https?:$/u.test(url.protocol)
      ? { value: text }
      : {
          problem: 'is not an exact origin',
          fix: 'Write scheme, host and port only, such as https://app.example.com.',
        };
  },
};

export const headerPair: SettingKind<readonly [string, string]> = {
  description: 'a header as `name=value`',
  read: (text) => {
    const [, name = '', value = ''] = /^([\w-]{1,100})=([\x20-\x7e]{1,4000})$/u.exec(text) ?? [];
    return name === ''
      ? { problem: 'is not a header and its value', fix: 'Write it as name=value, such as x-api-key=….' }
      : { value: [name, value] };
  },
};

export const network: SettingKind<string> = {
  description: 'an address or network',
  read: (text) => {
    const [address = '', prefix, ...more] = text.split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? 32 : /^\d{1,3}$/u.test(prefix) ? Number(prefix) : Number.NaN;
    const isValid = family !== 0 && more.length === 0 && bits >= 1 && bits <= (family === 4 ? 32 : 128);
    return isValid
      ? { value: text }
      : {
          problem: 'is not an address or network',
          fix: 'Write addresses such as 10.0.0.7 or networks such as 10.0.0.0/8.',
        };
  },
};

export const networkPort: SettingKind<{ readonly network: string; readonly port: number }> = {
  description: 'a network and a port, such as `10.0.0.0/8:5432`',
  read: (text) => {
    const [, address = '', bits = '', port = ''] = /^\[?([\d.a-fA-F:]+)\]?\/(\d{1,3}):(\d{1,5})$/u.exec(text) ?? [];
    const networkResult = network.read(`${address}/${bits}`);
    const isValid = 'value' in networkResult && Number(port) >= 1 && Number(port) <= 65_535;
    return isValid
      ? { value: { network: networkResult.value, port: Number(port) } }
      : {
          problem: 'is not a network and a port',
          fix: 'Write it as 10.0.0.0/8:5432; one address as 10.0.0.7/32:5432.',
        };
  },
};

export const secretKey: SettingKind<string> = {
  description: '32 bytes as base64, base64url or hex',
  read: (text) => {
    const decodedKey = decodeKey(text);
    return 'key' in decodedKey ? { value: text } : { problem: decodedKey.problem, fix: makeKey };
  },
};

export const token: SettingKind<string> = {
  description: 'at least 32 letters, digits, `-` or `_`',
  read: (text) => {
    const problem = /^[\w-]{32,512}$/u.test(text)
      ? weakToken(text)
      : 'is not 32 to 512 letters, digits, dashes and underscores';
    return problem === undefined ? { value: text } : { problem, fix: 'Make one with: openssl rand -hex 32' };
  },
};

export const password: SettingKind<string> = {
  description: 'at least 12 characters',
  read: (text) => {
    const problem = weakPassword(text);
    return problem === undefined ? { value: text } : { problem, fix: 'Make one with: openssl rand -base64 18' };
  },
};

/** True if only this machine can reach a listening host. */
export function isLoopback(host: string): boolean {
  const bareHost = host.replace(/^\[|\]$/gu, '');
  if (bareHost === 'localhost') return true;
  const family = isIP(bareHost);
  if (family === 0) return false;
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  return loopback.check(bareHost, family === 4 ? 'ipv4' : 'ipv6');
}
