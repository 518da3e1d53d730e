import type { Language } from './words.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/gu, (letter) => escapes[letter] ?? '');

/** Serializes data for use in a script. No text in the data can close the script element. */
export const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

/** A page. `body` is HTML in which texts are escaped. */
export interface Page {
  readonly language: Language;
  readonly title: string;
  readonly body: string;
  readonly script?: string;
  /**
   * An origin that the form may lead to, besides this service. Browsers also apply the content security policy to
   * redirects after a form.
   */
  readonly leadsTo?: string;
}

const style = `body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:10vh auto;padding:0 1.5rem;color:#1c2430;background:#fff}
h1{font-size:1.4rem}label{display:block}input{font:inherit;padding:.5rem;border:1px solid #6b7684;border-radius:.25rem;width:100%;box-sizing:border-box;margin:.25rem 0 1rem}
button,a.button{font:inherit;padding:.5rem 1rem;border:0;border-radius:.25rem;background:#1f4fd8;color:#fff;text-decoration:none;cursor:pointer;display:inline-block}
button:focus-visible,a:focus-visible,input:focus-visible{outline:3px solid #f0a000;outline-offset:2px}
code{overflow-wrap:anywhere}[role=alert]{font-weight:600}li{margin:.5rem 0}
@media (prefers-color-scheme:dark){body{color:#e8ecf1;background:#14181f}input{background:#1f2530;color:inherit}a:not(.button){color:#9db8ff}}`;

/** Returns the page as HTML, and a content security policy that allows only the page's own style and script. */
export function writePage(
  { language, title, body, script, leadsTo }: Page,
  nonce: string,
): { html: string; policy: string } {
  const scriptTag = script === undefined ? '' : `<script nonce="${nonce}">${script}</script>`;
  return {
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escaped(title)}</title><style nonce="${nonce}">${style}</style></head><body><main><h1>${escaped(title)}</h1>${body}</main>${scriptTag}</body></html>`,
    policy: `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; form-action 'self'${leadsTo === undefined ? '' : ` ${leadsTo}`}; base-uri 'none'; frame-ancestors 'none'`,
  };
}

export const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;
export const alert = (text: string): string => `<p role="alert">${escaped(text)}</p>`;
export const link = (address: string, text: string): string =>
  `<p><a class="button" rel="noreferrer" href="${escaped(address)}">${escaped(text)}</a></p>`;
