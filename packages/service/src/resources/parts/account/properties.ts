import { filledText, isObject, objectOr } from '@inlay/contract';
import { checkConnectorProperties } from '../../../connectors/properties.ts';
import { providerOf } from '../../../connectors/providers.ts';
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
    const { properties, host } = after;
    const provider = after['plugin_id'] === null ? providerOf(filledText(after['provider'])) : undefined;
    const isSent = ['properties', 'provider', 'host'].some((member) => Object.hasOwn(sent, member));
    if (!isSent || provider === undefined) return Promise.resolve(undefined);
    const faults = new Faults();
    if (provider.kind === 'sql' && typeof host === 'string' && noHost.test(host))
      faults.add('properties.host', 'must be a host name or address alone; the port goes into "port"');
    if (isObject(properties ?? null))
      checkConnectorProperties(provider.properties, objectOr(properties), (member, message) =>
        faults.add(`properties.properties.${member}`, message),
      );
    faults.raise();
    return Promise.resolve(undefined);
  },
};
