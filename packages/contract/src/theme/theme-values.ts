/** Sizes of shadows in ascending order. */
export const shadowSizes = ['none', 'S', 'M', 'L'] as const;

/** Contrast levels of muted texts and lines. */
export const contrasts = ['normal', 'more'] as const;

/** Densities of rows and controls, the densest first. */
export const densities = ['compact', 'normal', 'comfortable'] as const;
export type Density = (typeof densities)[number];
