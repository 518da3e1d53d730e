const english = {
  missing: '{slot} is missing',
  unseen: 'The columns cannot be read. {reason}',
} as const;

/** Texts of the gallery. `{slot}` and `{reason}` are placeholders. */
export type GalleryWords = Readonly<Record<keyof typeof english, string>>;

export const galleryWords: Readonly<Record<string, GalleryWords>> & { readonly en: GalleryWords } = {
  en: english,
  nl: { missing: '{slot} ontbreekt', unseen: 'De kolommen kunnen niet worden gelezen. {reason}' },
  fr: { missing: 'Il manque : {slot}', unseen: 'Impossible de lire les colonnes. {reason}' },
  de: { missing: '{slot} fehlt', unseen: 'Die Spalten können nicht gelesen werden. {reason}' },
  es: { missing: 'Falta: {slot}', unseen: 'No se pueden leer las columnas. {reason}' },
  ar: { missing: 'ينقص: {slot}', unseen: 'تعذّرت قراءة الأعمدة. {reason}' },
};
