/** How many queries to remember per session as already parsed. */
const maxRemembered = 200;

/** Has the server parse each custom query alone. Raises its error unless each is a single statement. */
export async function eachOneStatement(
  known: Set<string>,
  texts: readonly string[],
  parse: (text: string) => Promise<unknown>,
): Promise<void> {
  for (const text of texts) {
    if (known.has(text)) continue;
    await parse(text);
    if (known.size >= maxRemembered) known.clear();
    known.add(text);
  }
}
