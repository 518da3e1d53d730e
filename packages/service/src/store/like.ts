/** Part of a LIKE pattern between two `%`: literal texts, and `null` for each `_`. */
type Segment = readonly (string | null)[];

interface Pattern {
  readonly segments: readonly Segment[];
  /**
   * True if the first segment must match at the start of the text. `toEnd`: true if the last segment must match at the
   * end.
   */
  readonly fromStart: boolean;
  readonly toEnd: boolean;
}

/** Parses a LIKE pattern with `\` as the escape. */
function read(pattern: string): Pattern {
  const segments: (string | null)[][] = [[]];
  const add = (part: string | null): void => {
    const lastSegment = segments.at(-1);
    const lastPart = lastSegment?.at(-1);
    if (typeof part === 'string' && typeof lastPart === 'string') lastSegment?.splice(-1, 1, lastPart + part);
    else lastSegment?.push(part);
  };
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern[at] ?? '';
    if (sign === '%') segments.push([]);
    else if (sign === '_') add(null);
    else if (sign === '\\') add(pattern[(at += 1)] ?? '');
    else add(sign);
  }
  return {
    segments,
    fromStart: !pattern.startsWith('%'),
    toEnd: segments.at(-1)?.length !== 0 || segments.length === 1,
  };
}

/** Returns the end of a segment in the text if it matches at `from`; otherwise -1. `_` matches one code point. */
function endOf(segment: Segment, text: string, from: number): number {
  let at = from;
  for (const part of segment) {
    if (part === null) {
      const point = text.codePointAt(at);
      if (point === undefined) return -1;
      at += point > 0xff_ff ? 2 : 1;
    } else if (text.startsWith(part, at)) at += part.length;
    else return -1;
  }
  return at;
}

/** Number of positions to try between two checks of the clock. */
const placesBetween = 4096;

/** Number of character comparisons between two checks of the clock: about 10 ms for repetitive text. */
const comparisonsBetween = 2 ** 25;

/**
 * Like `text.indexOf(part, from)`, but in steps, with a call of `checkTime` after each. A single native call can take
 * seconds, for example if a text of a million characters and a part of ten thousand both repeat one character.
 */
export function indexOfInSteps(text: string, part: string, from: number, checkTime: () => void): number {
  const places = Math.max(placesBetween, Math.floor(comparisonsBetween / Math.max(1, part.length)));
  for (let start = from; start + part.length <= text.length; start += places) {
    const index = text.slice(start, start + places + part.length - 1).indexOf(part);
    if (index >= 0) return start + index;
    checkTime();
  }
  return -1;
}

/** Returns the end of the first match of a segment that starts at or after `from`; -1 if there is no match. */
function find(segment: Segment, text: string, from: number, checkTime: () => void): number {
  const [onlyPart] = segment;
  if (segment.length === 1 && typeof onlyPart === 'string') {
    const at = indexOfInSteps(text, onlyPart, from, checkTime);
    return at < 0 ? -1 : at + onlyPart.length;
  }
  for (let at = from; at <= text.length; at += 1) {
    if ((at - from) % placesBetween === placesBetween - 1) checkTime();
    // If the segment begins with literal text, it can only match where that text occurs.
    if (typeof onlyPart === 'string') {
      at = indexOfInSteps(text, onlyPart, at, checkTime);
      if (at < 0) return -1;
    }
    const end = endOf(segment, text, at);
    if (end >= 0) return end;
  }
  return -1;
}

/**
 * Case-sensitive LIKE (`%`, `_`, `\` as the escape) without backtracking: finds each segment once, from left to right.
 * The time is proportional to the length of the text times the number of `_`. Calls `checkTime` regularly, which may
 * throw to abort the match.
 */
export function createLike(checkTime: () => void): (text: string, pattern: string) => boolean {
  let lastPattern = { source: '', pattern: read('') };
  return (text, source) => {
    if (lastPattern.source !== source) lastPattern = { source, pattern: read(source) };
    const { segments, fromStart, toEnd } = lastPattern.pattern;
    checkTime();
    let at = 0;
    for (const [index, segment] of segments.entries()) {
      const isLast = index === segments.length - 1;
      if (isLast && toEnd && segments.length > 1) return standsAtEnd(segment, text, at);
      const end = index === 0 && fromStart ? endOf(segment, text, 0) : find(segment, text, at, checkTime);
      if (end < 0) return false;
      at = end;
    }
    return !toEnd || at === text.length;
  };
}

/** True if the last segment matches at the end of the text, and the match does not start before `from`. */
function standsAtEnd(segment: Segment, text: string, from: number): boolean {
  let end = text.length;
  for (const part of segment.toReversed()) {
    if (part === null) {
      const codeUnit = text.charCodeAt(end - 1);
      const isPair = codeUnit >= 0xdc_00 && codeUnit <= 0xdf_ff && end >= 2;
      end -= isPair ? 2 : 1;
    } else if (end >= part.length && text.startsWith(part, end - part.length)) end -= part.length;
    else return false;
    if (end < from) return false;
  }
  return true;
}
