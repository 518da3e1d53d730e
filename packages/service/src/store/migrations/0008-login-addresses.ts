import type { Migration } from '../migrate.ts';

/** From where people have logged in: guesses of others with their e-mail address do not keep them out there. */
export const loginAddresses: Migration = {
  id: 8,
  name: 'addresses of logins',
  statements: (dialect) => [
    `create table login_address (user_id text not null, address text not null, seen_at text not null,
      primary key (user_id, address))${dialect === 'sqlite' ? ' without rowid' : ''}`,
    'create index login_address__seen_at__index on login_address (seen_at)',
  ],
};
