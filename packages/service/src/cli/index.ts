import type { CliCommand } from './host.ts';

/**
 * Every command of the command line. Each is loaded on demand, so that the service starts without loading the others.
 */
export const commands: readonly CliCommand[] = [
  {
    words: 'start',
    usage: 'inlay start [--force]',
    description:
      'Run the service. Settings are environment variables; see docs/reference/settings.md. --force migrates the store although instances of an earlier version run on it.',
    load: async () => (await import('./commands/start.ts')).start,
  },
  {
    words: 'doctor',
    usage: 'inlay doctor [--json] [--repair]',
    description:
      'Check settings, platform, keys, disk, store and port, and print how to fix any problem. Exit code 1 if a check fails. --repair first mends records that an earlier version wrote after the store was migrated.',
    load: async () => (await import('./doctor/command.ts')).doctor,
  },
  {
    words: 'migrate',
    usage: 'inlay migrate [--dry-run] [--force]',
    description:
      'Bring the schema of the store up to date without starting the service; --dry-run lists the migrations and changes nothing. It is refused while instances of an earlier version run that could not go on; --force migrates all the same.',
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
      'Create an organization and print its key and token once. INLAY_NEW_PASSWORD, if set, is the password of the owner.',
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
    description: 'Create a user. The password is INLAY_NEW_PASSWORD, or a random one that is printed once.',
    load: async () => (await import('./commands/user.ts')).userCreate,
  },
  {
    words: 'user transfer',
    usage: 'inlay user transfer FROM TO [--keep]',
    description:
      'Transfer everything that user FROM owns to user TO and delete FROM; --keep keeps FROM. Name users by e-mail address or id.',
    load: async () => (await import('./commands/user.ts')).userTransfer,
  },
  {
    words: 'sso unlock',
    usage: 'inlay sso unlock --organization ID [--email ADDRESS]',
    description:
      'Allow passwords again in an organization that allowed only single sign-on; --email sets a new password for one user, INLAY_NEW_PASSWORD or a random one.',
    load: async () => (await import('./commands/sso-unlock.ts')).ssoUnlock,
  },
  {
    words: 'keys rotate',
    usage: 'inlay keys rotate [--retire]',
    description:
      'Re-encrypt every secret with the current key while the service runs. If there is a key file, a new key is added to it; --retire removes old keys.',
    load: async () => (await import('./commands/keys-rotate.ts')).keysRotate,
  },
  {
    words: 'jobs',
    usage: 'inlay jobs',
    description:
      'Count the background jobs that wait and run, and list those that failed at every attempt, with the reason.',
    load: async () => (await import('./commands/jobs.ts')).jobsList,
  },
  {
    words: 'jobs repeat',
    usage: 'inlay jobs repeat ID',
    description: 'Run a failed job again.',
    load: async () => (await import('./commands/jobs.ts')).jobsRepeat,
  },
  {
    words: 'jobs drop',
    usage: 'inlay jobs drop ID',
    description: 'Forget a failed job.',
    load: async () => (await import('./commands/jobs.ts')).jobsDrop,
  },
  {
    words: 'backup',
    usage: 'inlay backup FILE [--partial]',
    description:
      'Copy the store to a new file, and the rows of datasets to a folder next to it, while the service runs. It fails if rows are missing or damaged; --partial leaves them out. The backup does not contain the secret keys.',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    words: 'restore',
    usage: 'inlay restore FILE [--replace] [--partial]',
    description:
      'Restore the store from a backup while the service is stopped. --replace overwrites an existing store. It is refused if rows of datasets are missing or damaged in the backup; --partial restores everything else.',
    load: async () => (await import('./commands/backup.ts')).restore,
  },
  {
    words: 'store copy',
    usage: 'inlay store copy FROM TO [--partial]',
    description:
      'Copy a store with the rows of its datasets into a new one, from SQLite to PostgreSQL or back, while no instance runs, and compare the copy with the source. FROM and TO are data folders, postgres:// addresses, or INLAY_DATABASE_URL for that of the settings. --partial leaves out rows that are missing or damaged.',
    load: async () => (await import('./commands/store-copy.ts')).storeCopy,
  },
  {
    words: 'plugin check',
    usage:
      'inlay plugin check URL [--secret S] [--host H] [--key K] [--token T] [--property NAME=VALUE]… [--protocol 2.0.0] [--pushdown] [--json]',
    description:
      'Send a plugin every request that the service would, and report violations of the protocol. Exit code 1 if a check fails.',
    load: async () => (await import('./commands/checks.ts')).pluginCheck,
  },
  {
    words: 'connector check',
    usage:
      'inlay connector check PROVIDER --host H --database D --user U [--port P] [--password W] [--property NAME=VALUE]… [--table T] [--json]',
    description:
      'Check a database as a source: connection, tables, and answers compared with those of the columnar engine over the same rows. Only reads. Exit code 1 if a check fails.',
    load: async () => (await import('./commands/checks.ts')).connectorCheck,
  },
  {
    words: 'plugin review',
    usage: 'inlay plugin review SLUG [--undo]',
    description: 'Mark a plugin as reviewed by you, the operator; --undo removes the mark.',
    load: async () => (await import('./commands/plugin-review.ts')).pluginReview,
  },
  {
    words: 'theme from',
    usage: 'inlay theme from COLOUR | LOGO.png | LOGO.svg',
    description:
      'Print a theme as JSON, light and dark, made of the colour of a brand. Its colours have the contrast and differences that are measured of built-in themes.',
    load: async () => (await import('./commands/theme-from.ts')).themeFrom,
  },
];
