const english = {
  from: 'Written in',
  to: 'Translate into',
  done: '{n} of {all} texts are in {language}',
  missing: 'Only missing ones',
  none: 'This dashboard has no texts yet.',
  nothingMissing: 'Nothing is missing.',
  translate: '{language}: {text}',
} as const;

/** Texts of the panel of translations. `{n}`, `{all}`, `{language}` and `{text}` are placeholders. */
export type TextsWords = Readonly<Record<keyof typeof english, string>>;

export const textsWords: Readonly<Record<string, TextsWords>> & { readonly en: TextsWords } = {
  en: english,
  nl: {
    from: 'Geschreven in',
    to: 'Vertalen naar',
    done: '{n} van {all} teksten zijn er in het {language}',
    missing: 'Alleen ontbrekende',
    none: 'Dit dashboard heeft nog geen teksten.',
    nothingMissing: 'Er ontbreekt niets.',
    translate: '{language}: {text}',
  },
  fr: {
    from: 'Écrit en',
    to: 'Traduire en',
    done: 'Textes disponibles en {language} : {n} sur {all}',
    missing: 'Seulement les manquants',
    none: 'Ce tableau de bord n’a pas encore de textes.',
    nothingMissing: 'Rien ne manque.',
    translate: '{language} : {text}',
  },
  de: {
    from: 'Geschrieben in',
    to: 'Übersetzen in',
    done: '{n} von {all} Texten gibt es auf {language}',
    missing: 'Nur fehlende',
    none: 'Dieses Dashboard hat noch keine Texte.',
    nothingMissing: 'Nichts fehlt.',
    translate: '{language}: {text}',
  },
  es: {
    from: 'Escrito en',
    to: 'Traducir a',
    done: 'Textos en {language}: {n} de {all}',
    missing: 'Solo los que faltan',
    none: 'Este panel aún no tiene textos.',
    nothingMissing: 'No falta nada.',
    translate: '{language}: {text}',
  },
  ar: {
    from: 'مكتوب بـ',
    to: 'ترجمة إلى',
    done: 'النصوص المتوفرة بـ{language}: {n} من {all}',
    missing: 'الناقصة فقط',
    none: 'لا تحتوي لوحة المعلومات هذه على نصوص بعد.',
    nothingMissing: 'لا شيء ناقص.',
    translate: '{language}: {text}',
  },
};
