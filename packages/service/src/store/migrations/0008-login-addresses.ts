import type { Migration } from '../migrate.ts';

/**
 * Adds the network addresses of successful logins. Failed logins from other addresses do not block logins from these
 * addresses.
 */
export const loginAddresses: Migration = {
  id: 8,
  name: 'addresses of logins',
  statements: (dialect) => [
    `create table login_address (user_id text not null, address text not null, seen_at text not null,
      primary key (user_id, address))${dialect === 'sqlite' ? ' without rowid' : ''}`,
    'create index login_address__seen_at__index on login_address (seen_at)',
  ],
};
