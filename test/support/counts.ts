/** Part of the full counts that this run takes, so that several runs one after the other make the whole. */
const share = (): number => Number(process.env['INLAY_TEST_SHARE'] ?? 1);

/** Whether this run takes the full counts rather than those of `npm test`. */
export const isFull = process.env['INLAY_TEST_FULL'] === '1';

/**
 * How late something with a time limit may come, in milliseconds: a second with the full counts, which run on a quiet machine;
 * otherwise what only a hang exceeds, however busy the machine is.
 */
export const lateMs = isFull ? 1_000 : 20_000;

/** How many times to try: the short number in `npm test`, the full one (or a share of it) with `INLAY_TEST_FULL=1`. */
export const counted = (short: number, full: number): number => (isFull ? Math.ceil(full * share()) : short);
