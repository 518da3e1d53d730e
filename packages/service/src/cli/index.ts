import type { CliCommand } from './host.ts';

/** Every command of the command line. Each is loaded when it is run: a start does without the others. */
export const commands: readonly CliCommand[] = [
  {
    words: 'start',
    usage: 'inlay start',
    description: 'Run the service. Settings are environment variables; see docs/reference/settings.md.',
    load: async () => (await import('./commands/start.ts')).start,
  },
  {
    words: 'doctor',
    usage: 'inlay doctor [--json]',
    description:
      'Check settings, platform, keys, disk, store and port, and say how to fix what is wrong. Exit code 1 when anything fails.',
    load: async () => (await import('./doctor/command.ts')).doctor,
  },
  {
    words: 'migrate',
    usage: 'inlay migrate [--dry-run]',
    description:
      'Bring the schema of the store up to date without starting the service; --dry-run lists the migrations and changes nothing.',
    load: async () => (await import('./commands/migrate.ts')).migrateStore,
  },
  {
    words: 'settings',
    usage: 'inlay settings [--json]',
    description: 'Print the settings in effect and where they come from; secrets are masked.',
    load: async () => (await import('./commands/show-settings.ts')).showSettings,
  },
  {
    words: 'organization create',
    usage: 'inlay organization create --name NAME --owner-email ADDRESS [--owner-name NAME]',
    description:
      'Make an organization and print its key and token, once. INLAY_NEW_PASSWORD may give the owner a password.',
    load: async () => (await import('./commands/organization.ts')).organizationCreate,
  },
  {
    words: 'organization list',
    usage: 'inlay organization list',
    description: 'List the organizations: id, number of users, name.',
    load: async () => (await import('./commands/organization.ts')).organizationList,
  },
  {
    words: 'user create',
    usage: 'inlay user create --organization ID --email ADDRESS [--name NAME] [--editor | --owner | --admin]',
    description: 'Make a user. The password is that in INLAY_NEW_PASSWORD, or a random one that is shown once.',
    load: async () => (await import('./commands/user.ts')).userCreate,
  },
  {
    words: 'user transfer',
    usage: 'inlay user transfer FROM TO [--keep]',
    description:
      'Make one user owner of everything that another owns, and delete the other; --keep deletes nobody. Users are given by e-mail address or id.',
    load: async () => (await import('./commands/user.ts')).userTransfer,
  },
  {
    words: 'sso unlock',
    usage: 'inlay sso unlock --organization ID [--email ADDRESS]',
    description:
      'Let people of an organization use passwords again where only single sign-on was allowed; --email gives somebody a new one, that in INLAY_NEW_PASSWORD or a random one.',
    load: async () => (await import('./commands/sso-unlock.ts')).ssoUnlock,
  },
  {
    words: 'keys rotate',
    usage: 'inlay keys rotate [--retire]',
    description:
      'Seal every secret again with the current key, while the service runs. A key file gets a new key; --retire takes old ones out.',
    load: async () => (await import('./commands/keys-rotate.ts')).keysRotate,
  },
  {
    words: 'backup',
    usage: 'inlay backup FILE',
    description:
      'Copy the store to a new file, and the rows of datasets to a folder beside it, while the service runs. The secret keys are in neither.',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    words: 'restore',
    usage: 'inlay restore FILE [--replace]',
    description:
      'Make the store from a backup, while the service is stopped. --replace gives up the store that is there.',
    load: async () => (await import('./commands/backup.ts')).restore,
  },
  {
    words: 'plugin check',
    usage:
      'inlay plugin check URL [--secret S] [--host H] [--key K] [--token T] [--property NAME=VALUE]… [--protocol 2.0.0] [--pushdown] [--json]',
    description:
      'Ask a plugin everything the service would and say what does not keep to the protocol. Exit code 1 when anything fails.',
    load: async () => (await import('./commands/plugin-check.ts')).pluginCheck,
  },
  {
    words: 'plugin review',
    usage: 'inlay plugin review SLUG [--undo]',
    description: 'Mark a plugin as reviewed by you, the operator; --undo takes it back.',
    load: async () => (await import('./commands/plugin-review.ts')).pluginReview,
  },
];
