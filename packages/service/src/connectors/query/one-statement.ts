/** Texts remembered of a session: what its server took for one statement it takes again. */
const most = 200;

/** Raises what the server says unless each text of a person is one statement by itself. */
export async function eachOneStatement(
  known: Set<string>,
  texts: readonly string[],
  parse: (text: string) => Promise<unknown>,
): Promise<void> {
  for (const text of texts) {
    if (known.has(text)) continue;
    await parse(text);
    if (known.size >= most) known.clear();
    known.add(text);
  }
}
