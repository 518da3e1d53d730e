/** Sizes of shadows, from none to the largest. */
export const shadowSizes = ['none', 'S', 'M', 'L'] as const;

/** How far quiet texts and lines stand out. */
export const contrasts = ['normal', 'more'] as const;

/** How close rows and controls stand, from the closest. */
export const densities = ['compact', 'normal', 'comfortable'] as const;
export type Density = (typeof densities)[number];
