import type { OutboundCause } from '../outbound/index.ts';
import { Problem } from '../problems/problem.ts';

/** Why an object store did not do what was requested. */
type BucketCause =
  | 'credentials'
  | 'denied'
  | 'bucket'
  | 'region'
  | 'clock'
  | 'busy'
  | 'slow'
  | 'host'
  | 'tls'
  | 'unreachable'
  | 'unknown_answer'
  | 'refused';

/** The problem of each cause, and its remedy. */
const causes = {
  credentials: [
    'the object store does not accept the access key',
    'Check INLAY_CLUSTER_S3_KEY_ID and INLAY_CLUSTER_S3_SECRET_KEY.',
  ],
  denied: [
    'the access key may not use the bucket',
    'Allow it to list the bucket, and to write and delete objects with the prefix in INLAY_CLUSTER_FILES.',
  ],
  bucket: ['the bucket does not exist', 'Create it, or correct INLAY_CLUSTER_FILES.'],
  region: ['the bucket is in another region', 'Set INLAY_CLUSTER_S3_REGION to the region of the bucket.'],
  clock: [
    'the clock of this machine differs too much from that of the object store',
    'Synchronize the clocks of both, such as by NTP.',
  ],
  busy: ['the object store is overloaded or fails', 'See its log if this lasts.'],
  slow: [
    'the object store does not answer in time',
    'Check that it runs, and how fast the network to INLAY_CLUSTER_S3_ENDPOINT is.',
  ],
  host: ['the host of the object store is unknown', 'Correct INLAY_CLUSTER_S3_ENDPOINT.'],
  tls: [
    'the certificate of the object store is not trusted',
    'Use a certificate of a public authority, or name that of your own in NODE_EXTRA_CA_CERTS.',
  ],
  unreachable: ['the object store cannot be reached', 'Check that it runs, and INLAY_CLUSTER_S3_ENDPOINT.'],
  unknown_answer: [
    'the answer is not one of an object store',
    'Check that INLAY_CLUSTER_S3_ENDPOINT is the address of its S3 interface.',
  ],
  refused: ['the object store refuses a request', 'See its log.'],
} as const satisfies Record<BucketCause, readonly [problem: string, fix: string]>;

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A failed request to an object store. Its texts never have a part of the answer but its status. */
export class BucketProblem extends Problem {
  readonly fault: { readonly problem: string; readonly fix: string };
  /** True if the same request may succeed a moment later. */
  readonly isPassing: boolean;

  constructor(cause: BucketCause, status?: number) {
    const [problem, fix] = causes[cause];
    const shown = status === undefined ? problem : `${problem} (status ${status})`;
    super('source_failed', { message: `${capitalized(shown)}. ${fix}` });
    this.name = 'BucketProblem';
    this.fault = { problem: shown, fix };
    this.isPassing = cause === 'busy' || cause === 'unreachable';
  }
}

/** Error codes of S3. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const byCode: ReadonlyMap<string, BucketCause> = new Map([
  ['InvalidAccessKeyId', 'credentials'],
  ['SignatureDoesNotMatch', 'credentials'],
  ['AccessDenied', 'denied'],
  ['AllAccessDisabled', 'denied'],
  ['NoSuchBucket', 'bucket'],
  ['InvalidBucketName', 'bucket'],
  ['PermanentRedirect', 'region'],
  ['TemporaryRedirect', 'region'],
  ['AuthorizationHeaderMalformed', 'region'],
  ['IllegalLocationConstraintException', 'region'],
  ['RequestTimeTooSkewed', 'clock'],
  ['SlowDown', 'busy'],
  ['RequestTimeout', 'slow'],
]);

function causeOfStatus(status: number): BucketCause {
  if (status === 401 || status === 403) return 'denied';
  if (status >= 300 && status < 400) return 'region';
  return status >= 500 || status === 429 ? 'busy' : 'refused';
}

/** Returns the problem for an answer with an error. `code` is the code in its body, empty if there is none. */
export const problemOfAnswer = (status: number, code: string): BucketProblem =>
  new BucketProblem(byCode.get(code) ?? causeOfStatus(status), status);

const byOutbound: Readonly<Record<OutboundCause, BucketCause>> = {
  url: 'host',
  forbidden_address: 'host',
  unknown_host: 'host',
  refused: 'unreachable',
  tls: 'tls',
  timeout: 'slow',
  aborted: 'slow',
  redirect: 'region',
  size: 'unknown_answer',
  type: 'unknown_answer',
  failed: 'unreachable',
};

/** Returns the problem for a call without a whole answer. */
export const problemOfCall = (cause: OutboundCause): BucketProblem => new BucketProblem(byOutbound[cause]);
