export interface MenuWords {
  readonly copy: string;
  readonly copied: string;
  readonly copyFailed: string;
  readonly fullScreen: string;
  readonly leaveFullScreen: string;
  readonly exportAs: string;
  readonly exportFailed: string;
}

const words = {
  en: {
    copy: 'Copy rows',
    copied: 'Rows copied',
    copyFailed: 'The rows could not be copied',
    fullScreen: 'Full screen',
    leaveFullScreen: 'Leave full screen',
    exportAs: 'Export as',
    exportFailed: 'The file could not be made',
  },
  nl: {
    copy: 'Rijen kopiëren',
    copied: 'Rijen gekopieerd',
    copyFailed: 'De rijen konden niet worden gekopieerd',
    fullScreen: 'Volledig scherm',
    leaveFullScreen: 'Volledig scherm verlaten',
    exportAs: 'Exporteren als',
    exportFailed: 'Het bestand kon niet worden gemaakt',
  },
  fr: {
    copy: 'Copier les lignes',
    copied: 'Lignes copiées',
    copyFailed: 'Impossible de copier les lignes',
    fullScreen: 'Plein écran',
    leaveFullScreen: 'Quitter le plein écran',
    exportAs: 'Exporter en',
    exportFailed: 'Impossible de créer le fichier',
  },
  de: {
    copy: 'Zeilen kopieren',
    copied: 'Zeilen kopiert',
    copyFailed: 'Die Zeilen konnten nicht kopiert werden',
    fullScreen: 'Vollbild',
    leaveFullScreen: 'Vollbild verlassen',
    exportAs: 'Exportieren als',
    exportFailed: 'Die Datei konnte nicht erstellt werden',
  },
  es: {
    copy: 'Copiar filas',
    copied: 'Filas copiadas',
    copyFailed: 'No se pudieron copiar las filas',
    fullScreen: 'Pantalla completa',
    leaveFullScreen: 'Salir de pantalla completa',
    exportAs: 'Exportar como',
    exportFailed: 'No se pudo crear el archivo',
  },
  ar: {
    copy: 'نسخ الصفوف',
    copied: 'تم نسخ الصفوف',
    copyFailed: 'تعذر نسخ الصفوف',
    fullScreen: 'ملء الشاشة',
    leaveFullScreen: 'إنهاء ملء الشاشة',
    exportAs: 'تصدير بتنسيق',
    exportFailed: 'تعذر إنشاء الملف',
  },
} as const satisfies Readonly<Record<string, MenuWords>>;

const byLanguage: Readonly<Record<string, MenuWords>> = words;

/** Returns the menu texts for a locale such as `nl-BE`; English if there is no translation. */
export function menuWordsFor(locale: string): MenuWords {
  const language = locale.toLowerCase().split('-')[0] ?? 'en';
  return (Object.hasOwn(byLanguage, language) ? byLanguage[language] : undefined) ?? words.en;
}
