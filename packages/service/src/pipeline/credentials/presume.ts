import { confirming, StaleCaller, presumeCaller } from '../../callers/presumed.ts';
import { Problem } from '../../problems/problem.ts';
import { admit, credentialsOf, type AuthenticatedRequest } from '../authenticate.ts';
import type { IdentifiedRequest } from '../identify.ts';
import type { Service } from '../service.ts';

/** Whether it saves a round trip: only a store that is far away is worth guessing for. */
const saves = ({ dialect }: Service['store'], { path }: IdentifiedRequest): boolean =>
  path.resource.served === undefined && dialect.isFar === true;

/**
 * Goes through a request as the caller its key named lately, where that saves a question to the store, and asks about the
 * key together with the first thing that is read, or in the write itself: one way there and back instead of two or three.
 * Nothing is answered, not even a refusal, before the store has said the same of the key in this request. Undefined where
 * there is nothing to guess from, or the guess was wrong: then nothing was done.
 */
export async function asPresumed<Answer>(
  service: Service,
  identified: IdentifiedRequest,
  go: (service: Service, authenticated: AuthenticatedRequest) => Promise<Answer>,
): Promise<Answer | undefined> {
  const { store } = service;
  if (!saves(store, identified)) return undefined;
  const credentials = credentialsOf(identified);
  const key = credentials?.key.toLowerCase() ?? '';
  const cache = service.callerFacts;
  const facts = cache.get(key) ?? '';
  const presumed = facts === '' ? null : presumeCaller(facts, credentials?.token ?? '', service.now());
  if (presumed === null) return undefined;
  const reader = confirming(store, key);
  const confirmed = async (): Promise<void> => {
    if ((await reader.facts()) !== facts) throw new StaleCaller('the caller is another one now');
  };
  const { caller } = presumed;
  const asking: Service = { ...service, reader };
  const admitted = async (): Promise<Answer> => {
    admit(service, identified, key, presumed);
    return go(asking, { ...identified, caller, presumed: { facts, confirmed } });
  };
  try {
    const answer = await admitted().catch(async (error: unknown) => {
      if (error instanceof Problem) await confirmed();
      throw error;
    });
    // A write has made sure itself, in its transaction.
    if (identified.operation === 'get') await confirmed();
    return answer;
  } catch (error) {
    if (!(error instanceof StaleCaller)) throw error;
    cache.set(key, '');
    return undefined;
  }
}
