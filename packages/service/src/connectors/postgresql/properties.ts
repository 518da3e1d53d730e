import { databaseOptions, type DeclaredProperties } from '../properties.ts';

export const properties: DeclaredProperties = {
  ...databaseOptions,
  schema: {
    kind: 'text',
    default: null,
    maxLength: 63,
    description: 'The only schema that is listed, and the first one in the search path of queries.',
  },
  application_name: {
    kind: 'text',
    default: 'Inlay',
    maxLength: 63,
    description: 'Name of the connections at the server.',
  },
};
