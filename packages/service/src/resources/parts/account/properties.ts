import { isObject } from '@inlay/contract';
import { checkConnectorProperties, declaredProperties, providerOf } from '../../../connectors/properties.ts';
import { Faults } from '../../../problems/problem.ts';
import type { Rule } from '../../../resource/rules.ts';

/** Drivers are set up from a list of what is allowed: nothing else is stored for a provider of ours. */
export const checkProviderProperties: Rule = {
  name: 'check-provider-properties',
  on: ['create', 'update'],
  description: 'Built-in providers accept only the properties that they declare, with the declared types.',
  run: ({ after, sent }) => {
    const { provider, properties } = after;
    const name = typeof provider === 'string' && after['plugin_id'] === null ? providerOf(provider) : undefined;
    const asked = Object.hasOwn(sent, 'properties') || Object.hasOwn(sent, 'provider');
    if (!asked || name === undefined || properties === undefined || !isObject(properties))
      return Promise.resolve(undefined);
    const faults = new Faults();
    checkConnectorProperties(declaredProperties[name], properties, (member, says) =>
      faults.add(`properties.properties.${member}`, says),
    );
    faults.raise();
    return Promise.resolve(undefined);
  },
};
