import { keyMissing } from './keys.ts';
import { isLoopback } from './setting-kinds.ts';
import type { Config } from './settings.ts';

type Name = keyof Config;

/**
 * A rule between settings. `about` are the settings it concerns, of which the first is reported; `broken` is true if
 * the configuration violates the rule.
 */
interface Rule {
  readonly about: readonly [Name, ...Name[]];
  readonly broken: (config: Config) => boolean;
  readonly problem: string;
  readonly fix: string;
}

/** Combinations of settings that are rejected. */
export const contradictions: readonly Rule[] = [
  {
    about: ['secretKey', 'env'],
    broken: ({ env, secretKey }) => env === 'production' && secretKey === undefined,
    ...keyMissing,
  },
  {
    about: ['secretKeyPrevious', 'secretKey'],
    broken: ({ env, secretKey, secretKeyPrevious }) =>
      env === 'development' && secretKey === undefined && secretKeyPrevious.length > 0,
    problem: 'is given without a current key',
    fix: 'Set INLAY_SECRET_KEY too.',
  },
  {
    about: ['secretKeyPrevious', 'secretKey'],
    broken: ({ secretKey, secretKeyPrevious }) => secretKey !== undefined && secretKeyPrevious.includes(secretKey),
    problem: 'contains the current key',
    fix: 'List only older keys.',
  },
  {
    about: ['aiModel', 'aiBaseUrl'],
    broken: ({ aiBaseUrl, aiModel }) => aiBaseUrl !== undefined && aiModel === undefined,
    problem: 'is required with INLAY_AI_BASE_URL',
    fix: 'Set INLAY_AI_MODEL too, or remove INLAY_AI_BASE_URL.',
  },
  {
    about: ['aiPrivateHost', 'aiBaseUrl'],
    broken: ({ aiBaseUrl, aiPrivateHost }) => aiPrivateHost && aiBaseUrl === undefined,
    problem: 'is set without a provider',
    fix: 'Set INLAY_AI_BASE_URL too, or remove it.',
  },
  {
    about: ['clusterFiles', 'cluster'],
    broken: ({ cluster, clusterFiles }) => cluster !== undefined && clusterFiles === undefined,
    problem: 'is required with INLAY_CLUSTER',
    fix: 'Name a folder or an object store that this service and all nodes of the cluster see, or remove INLAY_CLUSTER.',
  },
  ...(['clusterPassword', 'clusterFiles', 'clusterLocation'] as const).map((name): Rule => ({
    about: [name, 'cluster'],
    broken: (config) => config[name] !== undefined && config.cluster === undefined,
    problem: 'is set without a cluster',
    fix: 'Set INLAY_CLUSTER too, or remove it.',
  })),
  ...(['clusterS3KeyId', 'clusterS3SecretKey'] as const).map((name): Rule => ({
    about: [name, 'clusterFiles'],
    broken: (config) => config.clusterFiles?.kind === 's3' && config[name] === undefined,
    problem: 'is required with an object store in INLAY_CLUSTER_FILES',
    fix: 'Set id and secret of an access key that may list the bucket, and write and delete its objects.',
  })),
  ...(['clusterS3Endpoint', 'clusterS3Region', 'clusterS3KeyId', 'clusterS3SecretKey'] as const).map((name): Rule => ({
    about: [name, 'clusterFiles'],
    broken: (config) => config[name] !== undefined && config.clusterFiles?.kind !== 's3',
    problem: 'is set without an object store',
    fix: 'Name bucket and prefix in INLAY_CLUSTER_FILES, or remove it.',
  })),
  {
    about: ['bootstrapKey', 'bootstrapToken'],
    broken: ({ bootstrapKey, bootstrapToken }) => (bootstrapKey === undefined) !== (bootstrapToken === undefined),
    problem: 'must be set together with INLAY_BOOTSTRAP_TOKEN',
    fix: 'Set INLAY_BOOTSTRAP_KEY and INLAY_BOOTSTRAP_TOKEN, or neither.',
  },
  {
    about: ['bootstrapEmail', 'bootstrapPassword'],
    broken: ({ bootstrapEmail, bootstrapPassword }) => bootstrapPassword !== undefined && bootstrapEmail === undefined,
    problem: 'is required with INLAY_BOOTSTRAP_PASSWORD',
    fix: 'Set INLAY_BOOTSTRAP_EMAIL.',
  },
  {
    about: ['bootstrapPassword', 'bootstrapEmail'],
    broken: ({ bootstrapEmail, bootstrapPassword }) =>
      bootstrapPassword !== undefined && bootstrapPassword.toLowerCase() === bootstrapEmail?.toLowerCase(),
    problem: 'is the e-mail address',
    fix: 'Make one with: openssl rand -base64 18',
  },
  {
    about: ['devAnonymousOwner', 'env'],
    broken: ({ devAnonymousOwner, env }) => devAnonymousOwner && env === 'production',
    problem: 'is refused in production',
    fix: 'Remove it.',
  },
  {
    about: ['devAnonymousOwner', 'host'],
    broken: ({ devAnonymousOwner, host }) => devAnonymousOwner && !isLoopback(host),
    problem: 'is refused where others can reach the service',
    fix: 'Set INLAY_HOST=127.0.0.1.',
  },
  {
    about: ['devAnonymousOwner', 'trustProxy'],
    broken: ({ devAnonymousOwner, trustProxy }) => devAnonymousOwner && trustProxy.length > 0,
    problem: 'is refused behind a proxy, which makes remote requests look local',
    fix: 'Remove INLAY_TRUST_PROXY.',
  },
];
