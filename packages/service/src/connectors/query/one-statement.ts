/** Number of parsed queries that are remembered per session. */
const maxRemembered = 200;

/**
 * Lets the server parse each custom query as a separate statement, unless it already has. Raises the server's error if
 * a text is not a single statement.
 */
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
