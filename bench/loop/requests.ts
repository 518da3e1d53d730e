import { bodies } from './requests/bodies.ts';
import { drawings } from './requests/drawings.ts';
import { files } from './requests/files.ts';
import { pages } from './requests/pages.ts';
import { queries } from './requests/queries.ts';
import { toolsOf, type LargestRequest } from './requests/request.ts';
import { searches } from './requests/searches.ts';
import { texts } from './requests/texts.ts';
import type { Stage } from './stage.ts';

/** Everything that is asked, in this order. */
const parts = [bodies, searches, queries, texts, files, drawings, pages] as const;

/** Returns the requests with the largest allowed sizes. `share` scales the sizes. */
export function largestRequests(stage: Stage, share: number): readonly LargestRequest[] {
  const tools = toolsOf(stage, share);
  return parts.flatMap((part) => part(stage, tools));
}
