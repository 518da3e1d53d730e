import type { Change, SizedContext } from '../frame/chart.ts';
import type { Frame } from '../frame/frame.ts';

/** Returns the change from a previous value, as a share of that value; null if the previous value was zero. */
export function changeOf(
  now: number,
  then: number,
  against: string,
  { settings }: Frame,
  { formats }: SizedContext,
): Change | null {
  if (then === 0) return null;
  const share = (now - then) / Math.abs(then);
  const isFlat = Math.abs(share) < 0.0005;
  const isGood = now > then !== settings.comparison.lowerIsBetter;
  return {
    text: formats.numbers({ format: '+.1~%' }).full(share),
    direction: isFlat ? 'flat' : now > then ? 'up' : 'down',
    tone: isFlat ? 'neutral' : isGood ? 'good' : 'bad',
    against,
  };
}
