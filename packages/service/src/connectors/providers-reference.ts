import type { ConnectorProperty } from './properties.ts';
import type { Provider } from './provider.ts';
import { providers } from './providers.ts';

const valueKind: Readonly<Record<ConnectorProperty['kind'], (property: ConnectorProperty) => string>> = {
  text: ({ maxLength = 1000 }) => `text of at most ${maxLength} characters`,
  pem: () => 'PEM text',
  whole: ({ minimum = 0, maximum = Infinity }) => `whole number from ${minimum} to ${maximum}`,
  word: ({ values = [] }) => values.map((value) => `\`${value}\``).join(', '),
  yes_or_no: () => 'true or false',
};

const propertyRow = ([name, property]: readonly [string, ConnectorProperty]): string => {
  const fallback = property.default === null ? 'none' : `\`${property.default}\``;
  return `| \`${name}\` | ${valueKind[property.kind](property)} | ${fallback} | ${property.description} |`;
};

function section({ name, aliases, label, description, properties }: Provider): string {
  const also = aliases.length === 0 ? '' : ` (also ${aliases.map((alias) => `\`${alias}\``).join(', ')})`;
  const rows = Object.entries(properties).map(propertyRow);
  const table = ['| Property | Value | Default | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
  return `## ${label}: \`${name}\`${also}\n\n${description}\n\n${rows.length === 0 ? 'No properties.' : table}\n`;
}

/** Returns the reference of the built-in providers as Markdown. */
export const providersReference = (): string => `# Providers

The built-in values of \`provider\` of an account, and what its \`properties\` may contain. How to set them up:
[connecting to data](../guides/connecting.md).

${providers.map(section).join('\n')}`;
