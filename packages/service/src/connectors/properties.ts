import { oneOf, unknownWord, type Json, type JsonObject } from '@inlay/contract';
import { SourceProblem } from './problem.ts';

/** An option that accounts may have in `account.properties`. */
export interface ConnectorProperty {
  readonly kind: 'text' | 'pem' | 'whole' | 'word' | 'yes_or_no';
  readonly description: string;
  /** Value of the option if the account does not set it. */
  readonly default: string | number | boolean | null;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly secret?: true;
}

export type DeclaredProperties = Readonly<Record<string, ConnectorProperty>>;

/**
 * Modes of encryption. `auto` requires a verified certificate if the address is public. For a private address, which
 * only an operator can allow, `auto` accepts whatever the server offers.
 */
const tlsModes = ['auto', 'disable', 'require', 'verify-full'] as const;
export type TlsMode = (typeof tlsModes)[number];

/** Options that all databases have. */
export const databaseOptions = {
  ssl: {
    kind: 'word',
    values: tlsModes,
    default: 'auto',
    description:
      'Encryption. `verify-full` checks certificate and name, `require` encrypts without a check, `disable` does neither; `auto` is verify-full for public addresses, and what the server offers for private ones.',
  },
  ssl_ca: {
    kind: 'pem',
    default: null,
    maxLength: 100_000,
    description: 'Certificates of additional trusted authorities, as PEM text.',
  },
  connect_timeout: {
    kind: 'whole',
    minimum: 1,
    maximum: 60,
    default: 10,
    description: 'Seconds to wait for a connection.',
  },
} as const satisfies DeclaredProperties;

const pem = /^\s*(?:-----BEGIN CERTIFICATE-----[A-Za-z\d+/=\s]+-----END CERTIFICATE-----\s*)+$/u;
const control = /\p{Cc}/u;

/** Describes what is wrong with a value; undefined if the value is valid. */
function wrongWith(property: ConnectorProperty, value: Json): string | undefined {
  const { kind, values: words = [], minimum = 0, maximum = Infinity, maxLength = 1000 } = property;
  switch (kind) {
    case 'word':
      return typeof value === 'string' && words.includes(value) ? undefined : oneOf(words, value);
    case 'whole':
      return typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum
        ? undefined
        : `must be a whole number from ${minimum} to ${maximum}`;
    case 'yes_or_no':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'pem':
      return typeof value === 'string' && value.length <= maxLength && pem.test(value)
        ? undefined
        : 'must be certificates as PEM text';
    case 'text':
      return typeof value === 'string' && value.length <= maxLength && !control.test(value)
        ? undefined
        : `must be text of at most ${maxLength} characters`;
  }
}

/** Reports each fault in the `properties` of an account, including members that are not declared. */
export function checkConnectorProperties(
  declared: DeclaredProperties,
  properties: JsonObject,
  fault: (member: string, message: string) => void,
): void {
  for (const [name, value] of Object.entries(properties)) {
    const property = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (property === undefined) fault(name, unknownWord(name, Object.keys(declared)));
    else if (value !== null) {
      const message = wrongWith(property, value);
      if (message !== undefined) fault(name, message);
    }
  }
}

/** Properties for a database driver, which have been checked. */
export interface DatabaseProperties {
  readonly ssl: TlsMode;
  readonly ca: string | undefined;
  readonly connectTimeoutMs: number;
  readonly schema: string | null;
  readonly applicationName: string;
}

/**
 * Returns the properties of an account for a driver. Raises SourceProblem `settings` that describes the first fault.
 */
export function databaseProperties(declared: DeclaredProperties, properties: JsonObject): DatabaseProperties {
  checkConnectorProperties(declared, properties, (member, message) => {
    throw new SourceProblem('settings', `The property ${JSON.stringify(member)} of the connection ${message}.`);
  });
  const valueOf = (name: string): Json => properties[name] ?? declared[name]?.default ?? null;
  const textOf = (name: string): string | undefined => {
    const value = valueOf(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    ssl: tlsModes.find((mode) => mode === valueOf('ssl')) ?? 'auto',
    ca: textOf('ssl_ca'),
    connectTimeoutMs: Number(valueOf('connect_timeout')) * 1000,
    schema: textOf('schema') ?? null,
    applicationName: textOf('application_name') ?? 'Inlay',
  };
}
