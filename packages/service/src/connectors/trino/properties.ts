import { databaseOptions, type DeclaredProperties } from '../properties.ts';

export const properties: DeclaredProperties = {
  ...databaseOptions,
  schema: {
    kind: 'text',
    default: null,
    maxLength: 200,
    description: 'The only schema whose tables are listed. Their ids are then names of tables alone.',
  },
  authentication: {
    kind: 'word',
    values: ['password', 'jwt'],
    default: 'password',
    description:
      'How the user signs in: `password` sends the token as a password if the account has one; `jwt` sends it as a JSON web token.',
  },
};

/** Returns true if the token of an account is a JSON web token. */
export const hasJwt = (accountProperties: Readonly<Record<string, unknown>>): boolean =>
  accountProperties['authentication'] === 'jwt';
