/** Part of the full counts that this run takes, so that several runs one after the other make the whole. */
const share = (): number => Number(process.env['INLAY_TEST_SHARE'] ?? 1);

/** How many times to try: the short number in `npm test`, the full one (or a share of it) with `INLAY_TEST_FULL=1`. */
export const counted = (short: number, full: number): number =>
  process.env['INLAY_TEST_FULL'] === '1' ? Math.ceil(full * share()) : short;
