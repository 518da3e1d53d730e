import type { JsonObject } from '@inlay/contract';
import type { Association } from '../../resource/define.ts';
import type { ExplainedParty } from '../../declare/explanation.ts';
import type { ServedOperation } from '../../declare/served-spec.ts';
import type { Properties } from '../../declare/properties.ts';
import type { Find } from '../../search/find.ts';
import type { LinkProperties } from './link-properties.ts';

/** An association in a request, checked as far as possible without reading records. */
export interface LinkRequest {
  readonly at: string;
  readonly role: string;
  readonly association: Association;
  readonly targetId: string;
  readonly properties: LinkProperties;
}

/** The input of each operation. */
export type Input =
  | { readonly kind: 'create'; readonly properties: Properties; readonly links: readonly LinkRequest[] }
  | {
      readonly kind: 'get';
      readonly id: string;
      readonly find: Find;
      /** Whose access is to be explained; null without `explain`. */
      readonly explain: ExplainedParty | null;
    }
  | { readonly kind: 'search'; readonly find: Find }
  /** A get or create of a served resource, with `find` or the properties as its input. */
  | { readonly kind: 'served'; readonly operation: ServedOperation; readonly input: JsonObject }
  | { readonly kind: 'update'; readonly id: string; readonly properties: Properties }
  | { readonly kind: 'delete'; readonly id: string; readonly set: JsonObject }
  | { readonly kind: 'associate'; readonly id: string; readonly link: LinkRequest }
  | { readonly kind: 'dissociate'; readonly id: string; readonly link: LinkRequest };
