/** The languages in which questions are read. */
export const languages = ['en', 'nl', 'fr', 'de', 'es'] as const;
export type Language = (typeof languages)[number];
