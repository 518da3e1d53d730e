/** How many times to try: the short number in `npm test`, the full one with `INLAY_TEST_FULL=1`. */
export const counted = (short: number, full: number): number => (process.env['INLAY_TEST_FULL'] === '1' ? full : short);
