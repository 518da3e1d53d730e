const sslRequest = 80877103;
const gssRequest = 80877104;
const commitText = /(^|;)\s*(commit|end)\b/i;

const cString = (bytes: Buffer, from: number): string => {
  const end = bytes.indexOf(0, from);
  return bytes.toString('utf8', from, end === -1 ? bytes.length : end);
};

/**
 * Follows what a client sends to PostgreSQL, in pieces of any size.
 *
 * @returns a function that takes the next piece and says whether a COMMIT was completed in it, sent as a simple query, in
 *   a Parse message, or by binding a statement prepared from one before
 */
export const watchForCommit = (): ((piece: Buffer) => boolean) => {
  const commitStatements = new Set<string>();
  let pending = Buffer.alloc(0);
  let started = false;

  const isCommit = (type: string, body: Buffer): boolean => {
    if (type === 'Q') return commitText.test(cString(body, 0));
    const name = cString(body, type === 'B' ? body.indexOf(0) + 1 : 0);
    if (type === 'B') return commitStatements.has(name);
    if (type !== 'P') return false;
    const found = commitText.test(cString(body, Buffer.byteLength(name) + 1));
    if (found) commitStatements.add(name);
    else commitStatements.delete(name);
    return false;
  };

  return (piece) => {
    pending = Buffer.concat([pending, piece]);
    let seen = false;
    for (;;) {
      const typeLength = started ? 1 : 0;
      if (pending.length < typeLength + 4) return seen;
      const end = typeLength + pending.readUInt32BE(typeLength);
      if (pending.length < end) return seen;
      const body = pending.subarray(typeLength + 4, end);
      if (started) seen = isCommit(String.fromCharCode(pending[0] ?? 0), body) || seen;
      else started = ![sslRequest, gssRequest].includes(body.readUInt32BE(0));
      pending = pending.subarray(end);
    }
  };
};
