const placeholder = /\{([^{}]*)\}/gu;

/**
 * Allowed link targets: `http` and `https` addresses with a fixed host, `mailto` addresses, and addresses relative to
 * the page. A relative address has no colon before its path ends.
 */
const allowedLink = /^(?:(?:https?:)?\/\/[^\s/?#@{}]+(?:[/?#]|$)|mailto:|(?!\/\/)(?![^/?#]*:))/iu;
/** Characters that change what an address means: browsers drop control characters and read backslashes as slashes. */
// oxlint-disable-next-line no-control-regex -- matches them on purpose
const misread = /[\u0000-\u001f\u007f]|\\/u;

/** Returns the names of the placeholders in an address template such as `https://shop.example/orders/{Order id}`. */
export const placeholdersOf = (template: string): readonly string[] =>
  [...template.matchAll(placeholder)].map(([, name = '']) => name);

/** True if all addresses from a template are allowed: `http`, `https`, `mailto`, or relative to the page. */
export const isAddressTemplate = (template: string): boolean =>
  template.trim() !== '' && !misread.test(template) && allowedLink.test(template.trim());

function encoded(value: string): string | null {
  // Such a value would change the structure of the path.
  if (['', '.', '..'].includes(value)) return null;
  try {
    return encodeURIComponent(value);
  } catch {
    return null;
  }
}

/** Fills a template with encoded values. Null if a value is missing or the address is not allowed. */
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
