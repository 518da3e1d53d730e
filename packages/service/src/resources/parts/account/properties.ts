import { isObject, objectOr } from '@inlay/contract';
import { checkConnectorProperties, declaredProperties, providerOf } from '../../../connectors/properties.ts';
import { Faults } from '../../../problems/problem.ts';
import type { Rule } from '../../../resource/rules.ts';

/** Matches addresses that are not a plain host: `https://db.example`, `db.example:5432`. */
const noHost = /[/\\@?#,]|^[^:]*:\d*$/u;

/** Refuses properties outside the allow list of a built-in driver, so that no other property is stored. */
export const checkProviderProperties: Rule = {
  name: 'check-provider-properties',
  on: ['create', 'update'],
  description:
    'Built-in providers accept only the properties that they declare, with the declared types, and a host without scheme, port or path.',
  run: ({ after, sent }) => {
    const { provider, properties, host } = after;
    const name = typeof provider === 'string' && after['plugin_id'] === null ? providerOf(provider) : undefined;
    const isSent = ['properties', 'provider', 'host'].some((member) => Object.hasOwn(sent, member));
    if (!isSent || name === undefined) return Promise.resolve(undefined);
    const faults = new Faults();
    if (name !== 'duckdb' && typeof host === 'string' && noHost.test(host))
      faults.add('properties.host', 'must be a host name or address alone; the port goes into "port"');
    if (isObject(properties ?? null))
      checkConnectorProperties(declaredProperties[name], objectOr(properties), (member, message) =>
        faults.add(`properties.properties.${member}`, message),
      );
    faults.raise();
    return Promise.resolve(undefined);
  },
};
