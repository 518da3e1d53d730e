import type { Feature } from '@inlay/contract';

/** Rights on a record; each includes the previous ones. specification/rights#levels */
export const rights = ['read', 'use', 'modify', 'own'] as const;
export type Right = (typeof rights)[number];

/** Ranks in an organization; each includes the previous ones. specification/rights#organizations */
export const ranks = ['member', 'editor', 'owner', 'admin'] as const;
export type Rank = (typeof ranks)[number];

/** Returns the stored number of a right or rank: 1 to 4. */
export const levelOf = (word: Right | Rank): number =>
  1 +
  Math.max(
    rights.findIndex((right) => right === word),
    ranks.findIndex((rank) => rank === word),
  );

/** Condition on the caller of an operation. A closed set, implemented by `permits` and documented by `describeRole`. */
export type Role =
  /** Everyone, without credentials. */
  | { readonly kind: 'anyone' }
  /** A caller without credentials. */
  | { readonly kind: 'visitor' }
  /** No caller of the API; only the operator by command line. */
  | { readonly kind: 'operator' }
  /** Any login or api token. */
  | { readonly kind: 'loggedIn' }
  /** A token of one type, such as an api token. */
  | { readonly kind: 'token'; readonly type: 'login' | 'api' | 'embed' }
  /** A rank in the organization of the record. For a new record, a rank in the organization of the caller. */
  | {
      readonly kind: 'organization';
      readonly rank: Rank;
      /** True if the role excludes people in a suborganization, since the setting applies to all suborganizations. */
      readonly whole?: true;
    }
  /** A right on the record, or on the record referenced by a field. */
  | {
      readonly kind: 'entity';
      readonly of: string;
      readonly right: Right;
      readonly through: string;
      /** Resource of the record that the field references. That record in turn refers to the securable. */
      readonly via?: string;
    }
  /** The caller is the person that a field of the record references. */
  | { readonly kind: 'self'; readonly through: string }
  /** An embed token of role designer or owner that names its end user, while its issuer is an editor. */
  | { readonly kind: 'designer' }
  /** The caller is the embed token that the record describes. */
  | { readonly kind: 'itself' }
  /** Everyone with credentials if a boolean field of the record is true. */
  | { readonly kind: 'flagged'; readonly through: string }
  /** A member of an organization that the record is linked to, with at least a rank. */
  | { readonly kind: 'linked'; readonly association: string; readonly rank: Rank }
  /** A caller in the same suborganization, or an owner of the whole organization. */
  | {
      readonly kind: 'suborganization';
      /**
       * The resource (`via`) whose record has the suborganization, and the field (`through`) that references that
       * record.
       */
      readonly of?: { readonly through: string; readonly via: string };
    }
  /** Callers from whom the record is not hidden: embed tokens hide records by id. */
  | { readonly kind: 'shown'; readonly through: string }
  /** Everyone except Organization Owners of the whole organization. */
  | { readonly kind: 'ordinary' }
  /** Everyone if a field of the record has a value. */
  | { readonly kind: 'valued'; readonly through: string; readonly value: string }
  /** The person or end user of an embed token who wrote the record. The field has their `writerOf`. */
  | { readonly kind: 'writer'; readonly through: string }
  /** Everyone while a reference of the record is not set. */
  | { readonly kind: 'unset'; readonly through: string }
  /** Callers without an environment, who see the current contents of dashboards. */
  | { readonly kind: 'current' }
  /** Callers without hidden columns. */
  | { readonly kind: 'unhidden' }
  /** The caller has a right on a record that uses this one in its definition, as a dashboard uses a theme. */
  | { readonly kind: 'named'; readonly by: string; readonly right: Right }
  /** A field of the record has the caller's environment, or the caller has no environment. */
  | { readonly kind: 'environment'; readonly through: string }
  /** Sees every row of the referenced dataset, so that statistics of its rows reveal nothing. */
  | { readonly kind: 'allRows'; readonly through: string }
  /** Sees every row and column of the datasets linked to the referenced dashboard. */
  | { readonly kind: 'wholeDashboard'; readonly through: string }
  /** Has a feature; people have every one. */
  | { readonly kind: 'feature'; readonly feature: Feature }
  | { readonly kind: 'any'; readonly of: readonly Role[] }
  | { readonly kind: 'all'; readonly of: readonly Role[] };

export const anyone: Role = { kind: 'anyone' };
export const visitor: Role = { kind: 'visitor' };
export const operator: Role = { kind: 'operator' };
export const loggedIn: Role = { kind: 'loggedIn' };
export const ordinary: Role = { kind: 'ordinary' };
export const suborganization: Role = { kind: 'suborganization' };
/** Returns the suborganization role for a record that another record stands for, such as the person of an identity. */
export const suborganizationOf = (via: string, through: string): Role => ({
  kind: 'suborganization',
  of: { via, through },
});
export const current: Role = { kind: 'current' };
export const unhidden: Role = { kind: 'unhidden' };
export const namedBy = (by: string, right: Right): Role => ({ kind: 'named', by, right });
export const environmentIn = (through: string): Role => ({ kind: 'environment', through });
export const valued = (through: string, value: string): Role => ({ kind: 'valued', through, value });
export const writer = (through: string): Role => ({ kind: 'writer', through });
export const unset = (through: string): Role => ({ kind: 'unset', through });
export const allRows = (through: string): Role => ({ kind: 'allRows', through });
export const wholeDashboard = (through: string): Role => ({ kind: 'wholeDashboard', through });
export const shownBy = (through: string): Role => ({ kind: 'shown', through });
export const having = (feature: Feature): Role => ({ kind: 'feature', feature });
export const shown: Role = shownBy('id');
export const token = (type: 'login' | 'api' | 'embed'): Role => ({ kind: 'token', type });
export const organization = (rank: Rank): Role => ({ kind: 'organization', rank });
/** Returns a rank in the whole organization, for people without a suborganization. */
export const wholeOrganization = (rank: Rank): Role => ({ kind: 'organization', rank, whole: true });
export const self = (through: string): Role => ({ kind: 'self', through });
export const designer: Role = { kind: 'designer' };
export const itself: Role = { kind: 'itself' };
export const flagged = (through: string): Role => ({ kind: 'flagged', through });
export const linked = (association: string, rank: Rank): Role => ({ kind: 'linked', association, rank });
export const any = (...of: readonly Role[]): Role => ({ kind: 'any', of });
export const all = (...of: readonly Role[]): Role => ({ kind: 'all', of });

/** Returns a right on the record itself. */
export const entity = (of: string, right: Right): Role => ({ kind: 'entity', of, right, through: 'id' });
/** Returns a right on the securable that a field of the record names. */
export const securable = (right: Right, through = 'id'): Role => ({ kind: 'entity', of: 'securable', right, through });

/**
 * Returns a right on the securable of a referenced record. `through`: the field that references a record of `via`, such
 * as a column.
 */
export const securableOf = (right: Right, via: string, through: string): Role => ({
  kind: 'entity',
  of: 'securable',
  right,
  through,
  via,
});

const titled = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const rightNames: Readonly<Record<Right, string>> = { read: 'Reader', use: 'User', modify: 'Modifier', own: 'Owner' };

type AllRole = Extract<Role, { kind: 'all' }>;

/** True if a role concerns a record without a parent. */
const isDraft = ({ of }: AllRole): boolean => of.some(({ kind }) => kind === 'unset');

/**
 * Describes the role on a record without a parent. The role is its creator, or a caller who may create such records.
 */
const describeDraft = ({ of }: AllRole): string =>
  of.some(({ kind }) => kind === 'self')
    ? 'its creator until it is associated'
    : `${of
        .filter(({ kind }) => kind !== 'unset')
        .map(describeRole)
        .join(', ')} for a record that is associated later`;

/** Describes a role for the documentation, such as "Securable Modifier". */
export function describeRole(role: Role): string {
  switch (role.kind) {
    case 'anyone':
      return 'anyone';
    case 'visitor':
      return 'somebody signing up';
    case 'operator':
      return 'the operator only';
    case 'ordinary':
      return 'anyone who sees the record and is not an Organization Owner of the whole organization';
    case 'loggedIn':
      return 'Logged-in User';
    case 'token':
      return role.type === 'login' ? 'by a login' : `by an ${role.type} token`;
    case 'organization':
      return `Organization ${titled(role.rank)}${role.whole === true ? ' of the whole organization' : ''}`;
    case 'entity':
      return `${titled(role.of)} ${rightNames[role.right]}${role.through === 'id' ? '' : ` (of ${role.through})`}`;
    case 'self':
      return role.through === 'id' ? 'oneself' : `the person in ${role.through}`;
    case 'designer':
      return 'an embed token of role designer or owner with a username';
    case 'itself':
      return 'the embed token itself';
    case 'flagged':
      return `anyone logged in, if ${role.through} is true`;
    case 'linked':
      return `${titled(role.rank)} of a linked organization`;
    case 'suborganization':
      return 'same suborganization';
    case 'current':
      return 'callers without an environment';
    case 'unhidden':
      return 'callers without hidden columns';
    case 'named':
      return `${titled(role.by)} ${rightNames[role.right]} of one that uses it`;
    case 'environment':
      return 'the environment of the token';
    case 'valued':
      return `${role.through} \`${role.value}\``;
    case 'writer':
      return 'its writer';
    case 'unset':
      return `${role.through} not set`;
    case 'feature':
      return `callers with the feature \`${role.feature}\``;
    case 'shown':
      return 'not hidden from an embed token';
    case 'allRows':
      return 'callers who see all rows';
    case 'wholeDashboard':
      return 'callers who see all rows of its datasets';
    case 'any':
      return role.of.map(describeRole).join(' or ');
    case 'all':
      return isDraft(role) ? describeDraft(role) : role.of.map(describeRole).join(', ');
  }
}
