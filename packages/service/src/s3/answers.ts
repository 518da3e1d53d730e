import { SaxesParser } from 'saxes';
import { BucketProblem } from './fault.ts';

/** A page of the objects of a bucket. */
export interface ListingPage {
  readonly keys: readonly string[];
  /** Token of the next page; null on the last one. */
  readonly next: string | null;
}

const maxDepth = 16;

/**
 * Reads the texts of elements, by their path from the root without prefixes. Raises BucketProblem if the text is not
 * XML. Entities of a document type are not known, so they cannot expand.
 */
function readTexts(xml: string, paths: readonly string[], found: (path: string, text: string) => void): void {
  const parser = new SaxesParser();
  const open: string[] = [];
  let text = '';
  parser.on('error', () => {
    throw new BucketProblem('unknown_answer');
  });
  parser.on('opentag', ({ name }) => {
    open.push(name.slice(name.indexOf(':') + 1));
    if (open.length > maxDepth) throw new BucketProblem('unknown_answer');
    text = '';
  });
  parser.on('text', (piece) => (text += piece));
  parser.on('cdata', (piece) => (text += piece));
  parser.on('closetag', () => {
    const path = open.join('/');
    if (paths.includes(path)) found(path, text);
    open.pop();
    text = '';
  });
  parser.write(xml).close();
}

const listingPaths = {
  key: 'ListBucketResult/Contents/Key',
  more: 'ListBucketResult/IsTruncated',
  next: 'ListBucketResult/NextContinuationToken',
} as const;

/** Reads an answer of ListObjectsV2. Raises BucketProblem. */
export function readListing(xml: string): ListingPage {
  const keys: string[] = [];
  let isWhole: boolean | null = null;
  let next: string | null = null;
  readTexts(xml, Object.values(listingPaths), (path, text) => {
    if (path === listingPaths.key) keys.push(text);
    else if (path === listingPaths.more) isWhole = text !== 'true';
    else next = text;
  });
  if (isWhole === null || (!isWhole && next === null)) throw new BucketProblem('unknown_answer');
  return { keys, next: isWhole ? null : next };
}

/** Returns the code of an error; empty if the text has none. */
export function readErrorCode(xml: string): string {
  let code = '';
  try {
    readTexts(xml, ['Error/Code'], (_, text) => (code = text));
  } catch {
    return '';
  }
  return code;
}
