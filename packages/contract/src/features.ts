/** Roles of embed tokens. */
export const embedRoles = ['viewer', 'designer', 'owner'] as const;
export type EmbedRole = (typeof embedRoles)[number];

/** A right on a dashboard, or on one of its datasets. */
export interface FeatureRight {
  readonly on: 'dashboard' | 'dataset';
  readonly level: 'use' | 'modify' | 'own';
}

/** What a feature allows, and which embed tokens have it unless `feature_overrides` says otherwise. */
export interface FeatureDeclaration {
  readonly allows: string;
  readonly roles: readonly EmbedRole[];
  /** The rights of which one is needed, without which it allows nothing: on the dashboard, or on one of its datasets. */
  readonly rights?: readonly FeatureRight[];
  /** True if the feature is known, but nothing in the service depends on it yet. */
  readonly withoutEffect?: true;
}

const everyone = embedRoles;
const editors = ['designer', 'owner'] as const;

/**
 * What embed tokens may do besides their rights. A feature never grants a right: it takes away what rights allow, or
 * switches it on. specification/rights#features
 */
export const features = {
  view: { allows: 'open dashboards: their contents, the rows of their items, and files of them', roles: everyone },
  export_csv: { allows: 'export as CSV', roles: everyone },
  export_xlsx: { allows: 'export as XLSX', roles: everyone },
  export_ndjson: { allows: 'export rows as lines of JSON', roles: everyone },
  export_pdf: { allows: 'export as PDF', roles: everyone },
  export_png: { allows: 'export as PNG', roles: everyone },
  export_svg: { allows: 'export as SVG', roles: everyone },
  drill: { allows: 'open finer levels of an item', roles: everyone },
  edit_filters: { allows: 'add filters and set parameters of one’s own', roles: everyone },
  variant_personal: { allows: 'save a variant of a dashboard for oneself', roles: [], withoutEffect: true },
  variant_tenant: { allows: 'save a variant of a dashboard for one’s suborganization', roles: [], withoutEffect: true },
  edit_limited: {
    allows: 'move, resize, hide and restyle items; with *use* on their datasets, also change their type and filters',
    roles: [],
    rights: [{ on: 'dashboard', level: 'modify' }],
  },
  edit_full: { allows: 'change dashboards', roles: editors, rights: [{ on: 'dashboard', level: 'modify' }] },
  formulas: {
    allows: 'write formulas',
    roles: everyone,
    // Contents of a dashboard have formulas of their own.
    rights: [
      { on: 'dataset', level: 'modify' },
      { on: 'dashboard', level: 'modify' },
    ],
  },
  ai_questions: {
    allows: 'ask for charts, formulas and descriptions in words',
    roles: everyone,
    rights: [{ on: 'dataset', level: 'use' }],
  },
  share: { allows: 'make, change and end shares', roles: editors, rights: [{ on: 'dashboard', level: 'own' }] },
} as const satisfies Readonly<Record<string, FeatureDeclaration>>;

export type Feature = keyof typeof features;

const isFeature = (word: string): word is Feature => Object.hasOwn(features, word);

/** All features, in the order of the table. */
export const featureNames: readonly Feature[] = Object.keys(features).filter(isFeature);

/** Returns the declaration of a feature; undefined for an unknown word. */
export const featureOf = (word: string): FeatureDeclaration | undefined =>
  isFeature(word) ? features[word] : undefined;

/** A word of `feature_overrides`: a feature, and whether the word takes it away. */
export const readOverride = (word: string): { readonly feature: string; readonly isTaken: boolean } =>
  word.startsWith('!') ? { feature: word.slice(1), isTaken: true } : { feature: word, isTaken: false };

/**
 * Returns the features of an embed token, in the order of the table.
 *
 * @param role The role of the token; the features of a viewer for an unknown one.
 * @param overrides The `feature_overrides` of its organization, integration and authorization. Later lists win; in one
 *   list, taking away wins. Unknown words are ignored.
 */
export function featuresOf(role: string, overrides: readonly (readonly string[])[]): readonly Feature[] {
  const ownRole = embedRoles.find((known) => known === role) ?? 'viewer';
  return featureNames.filter((name) => {
    const declared: FeatureDeclaration = features[name];
    return overrides.reduce(
      (has, words) => !words.includes(`!${name}`) && (has || words.includes(name)),
      declared.roles.includes(ownRole),
    );
  });
}
