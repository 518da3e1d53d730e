const placeholder = /\{([^{}]*)\}/gu;

/**
 * Addresses that a link may lead to: `http` and `https` with a host that no value chooses, `mailto`, and those of the page,
 * which have no colon before their path.
 */
const allowed = /^(?:(?:https?:)?\/\/[^\s/?#@{}]+(?:[/?#]|$)|mailto:|(?!\/\/)(?![^/?#]*:))/iu;
/** Browsers leave the first out of addresses, and take the second for a slash. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const misread = /[\u0000-\u001f\u007f]|\\/u;

/** The names in braces of an address template such as `https://shop.example/orders/{Order id}`. */
export const placeholdersOf = (template: string): readonly string[] =>
  [...template.matchAll(placeholder)].map(([, name = '']) => name);

/** Whether a template gives addresses that a link may lead to: `http`, `https`, `mailto` or within the page. */
export const isAddressTemplate = (template: string): boolean =>
  template.trim() !== '' && !misread.test(template) && allowed.test(template.trim());

function encoded(value: string): string | null {
  // What would leave the place of the value in the path, or be no part of it.
  if (['', '.', '..'].includes(value)) return null;
  try {
    return encodeURIComponent(value);
  } catch {
    return null;
  }
}

/** The address that a template gives with values in place of its names, each encoded; null where one is missing or it leads where no link may. */
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
