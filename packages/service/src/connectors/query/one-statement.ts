/** How many queries to remember per session as already parsed. */
const maxRemembered = 200;

/** Has the server parse each custom query alone. Raises its error unless each is a single statement. */
export async function eachOneStatement(
  checkedTexts: Set<string>,
  texts: readonly string[],
  parse: (text: string) => Promise<unknown>,
): Promise<void> {
  for (const text of texts) {
    if (checkedTexts.has(text)) continue;
    await parse(text);
    if (checkedTexts.size >= maxRemembered) checkedTexts.clear();
    checkedTexts.add(text);
  }
}
