import type { Fault, Json } from '@inlay/contract';

/** A language tag whose language exists, such as `en` or `nl-BE`. */
export function languageTag(value: Json, at: string, fault: Fault): void {
  const says = 'must be a language such as "en" or "nl-BE"';
  if (typeof value !== 'string') return;
  try {
    const { language } = new Intl.Locale(value);
    if (new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(language) === undefined)
      fault(at, says);
  } catch {
    fault(at, says);
  }
}
