import type { Feature } from '@inlay/contract';
import { levelOf } from '../declare/roles.ts';
import type { Subjects } from './subjects.ts';

/** The sender of a request, with the sender's current rights. */
export interface Caller {
  /** The authorization used: the `key` of the request. */
  readonly authorizationId: string;
  readonly type: 'login' | 'api' | 'embed';
  readonly organizationId: string;
  /** The person; null for an embed token, which acts for the organization of its issuer. */
  readonly userId: string | null;
  /** The person and the person's groups, or the embed token and its end user. */
  readonly subjects: Subjects;
  /** Rank in the organization, 0 (none) to 4 (admin). */
  readonly rank: number;
  readonly suborganization: string | null;
  /** The person in the product that an embed token is for; null for other callers. */
  readonly username: string | null;
  /** The highest right this caller can have, 1 to 4: *use* for an embed token. */
  readonly ceiling: number;
  /** The issuer of an embed token, whose current rights limit the token; null for other callers. */
  readonly issuer: { readonly subjects: Subjects; readonly rank: number } | null;
  /** Ids of columns that do not exist for this caller. */
  readonly hiddenColumns: readonly string[];
  /** Features of an embed token; null for other callers, whom rights alone govern. specification/rights#features */
  readonly features: readonly Feature[] | null;
  /**
   * For an embed token: the environment whose dashboard versions the caller sees. If undefined, the caller sees the
   * current contents.
   */
  readonly environment?: string;
}

/**
 * True for an Organization Owner without a suborganization, who is responsible for the whole organization.
 * specification/rights#oversight
 */
export const isOverseer = ({ type, rank, suborganization }: Caller): boolean =>
  type !== 'embed' && rank >= levelOf('owner') && suborganization === null;

/** The person to whom what the caller creates belongs: of an embed token its issuer. */
export const ownerFor = ({ userId, issuer }: Caller): string | null => userId ?? issuer?.subjects.ids[0] ?? null;

/** Who must hold a right: the caller, and for an embed token also its issuer. */
export type Party = 'caller' | 'issuer';

/** Returns the parties of a caller, with their subjects and ranks. */
export const partiesWithRank = ({
  subjects,
  rank,
  issuer,
}: Caller): readonly { readonly party: Party; readonly subjects: Subjects; readonly rank: number }[] => [
  { party: 'caller', subjects, rank },
  ...(issuer === null ? [] : [{ party: 'issuer' as const, ...issuer }]),
];
