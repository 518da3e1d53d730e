const placeholder = /\{([^{}]*)\}/gu;

/**
 * Allowed targets of links: `http` and `https` with a fixed host, `mailto`, and addresses relative to the page,
 * which have no colon before their path.
 */
const allowedLink = /^(?:(?:https?:)?\/\/[^\s/?#@{}]+(?:[/?#]|$)|mailto:|(?!\/\/)(?![^/?#]*:))/iu;
/** Browsers drop control characters from addresses and read backslashes as slashes. */
// oxlint-disable-next-line no-control-regex -- matches them on purpose
const misread = /[\u0000-\u001f\u007f]|\\/u;

/** Returns the placeholders of an address template such as `https://shop.example/orders/{Order id}`. */
export const placeholdersOf = (template: string): readonly string[] =>
  [...template.matchAll(placeholder)].map(([, name = '']) => name);

/** True if a template produces allowed addresses: `http`, `https`, `mailto` or relative to the page. */
export const isAddressTemplate = (template: string): boolean =>
  template.trim() !== '' && !misread.test(template) && allowedLink.test(template.trim());

function encoded(value: string): string | null {
  // These would change the structure of the path.
  if (['', '.', '..'].includes(value)) return null;
  try {
    return encodeURIComponent(value);
  } catch {
    return null;
  }
}

/** Fills a template with encoded values; null if a value is missing or the address is not allowed. */
export function filledAddress(template: string, valueOf: (name: string) => string | null): string | null {
  if (!isAddressTemplate(template)) return null;
  let isWhole = true;
  const address = template.trim().replaceAll(placeholder, (_whole, name: string) => {
    const value = encoded(valueOf(name) ?? '');
    isWhole &&= value !== null;
    return value ?? '';
  });
  return isWhole ? address : null;
}
