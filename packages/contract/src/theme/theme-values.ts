/** Sizes of shadows, from none to the largest. */
export const shadowSizes = ['none', 'S', 'M', 'L'] as const;

/** Contrast levels of muted texts and lines. */
export const contrasts = ['normal', 'more'] as const;

/** Densities of rows and controls, closest first. */
export const densities = ['compact', 'normal', 'comfortable'] as const;
export type Density = (typeof densities)[number];
