import { levelOf } from '../declare/roles.ts';
import type { Subjects } from './subjects.ts';

/** The sender of a request with their current rights. */
export interface Caller {
  /** The authorization used: the `key` of the request. */
  readonly authorizationId: string;
  readonly type: 'login' | 'api' | 'embed';
  readonly organizationId: string;
  /** The person; null for an embed token, which acts for its issuer's organization. */
  readonly userId: string | null;
  /** The person and their groups, or the embed token. */
  readonly subjects: Subjects;
  /** Rank in the organization, 0 (none) to 4 (admin). */
  readonly rank: number;
  readonly suborganization: string | null;
  /** The highest right this caller can have, 1 to 4: *use* for an embed token. */
  readonly ceiling: number;
  /** For an embed token: its issuer, whose current rights limit those of the token. */
  readonly issuer: { readonly subjects: Subjects; readonly rank: number } | null;
  /** Column ids that do not exist for this caller. */
  readonly hiddenColumns: readonly string[];
  /**
   * For an embed token: the environment whose dashboard versions it shows. Without one, it shows the current contents.
   */
  readonly environment?: string;
}

/**
 * True for an Organization Owner without a suborganization, who is responsible for the whole organization.
 * specification/rights#oversight
 */
export const isOverseer = ({ type, rank, suborganization }: Caller): boolean =>
  type !== 'embed' && rank >= levelOf('owner') && suborganization === null;
