import { levelOf } from '../declare/roles.ts';
import type { Subjects } from './subjects.ts';

/** Who makes a request, as the store knows them at this moment. */
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
  /** The highest right this caller can hold, 1 to 4: an embed viewer's is *use*. */
  readonly ceiling: number;
  /** For an embed token: its issuer, whose rights bound the token's at any moment. */
  readonly issuer: { readonly subjects: Subjects; readonly rank: number } | null;
  /** Column ids that do not exist for this caller. */
  readonly hiddenColumns: readonly string[];
  /** Of an embed token: the environment whose versions of dashboards it shows; without one, the current contents. */
  readonly environment?: string;
}

/** Whether somebody answers for the whole organization: an Organization Owner without a suborganization. specification/rights#oversight */
export const isOverseer = ({ type, rank, suborganization }: Caller): boolean =>
  type !== 'embed' && rank >= levelOf('owner') && suborganization === null;
