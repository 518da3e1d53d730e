import { languageFault, type Fault, type Json } from '@inlay/contract';

/** Rejects anything but the tag of an existing language, such as `en` or `nl-BE`. */
export function languageTag(value: Json, at: string, fault: Fault): void {
  if (typeof value !== 'string') return;
  try {
    const { language } = new Intl.Locale(value);
    if (new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(language) === undefined)
      fault(at, languageFault);
  } catch {
    fault(at, languageFault);
  }
}
