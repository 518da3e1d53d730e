import { confirming, StaleCaller } from '../../callers/presumed.ts';
import type { Command, WriteResult } from '../../commands/command.ts';
import { Problem } from '../../problems/problem.ts';
import type { Store } from '../../store/store.ts';
import { admit, credentialsOf, type AuthenticatedRequest } from '../authenticate.ts';
import type { IdentifiedRequest } from '../identify.ts';
import type { Service } from '../service.ts';

/** True if presuming the caller saves a round trip, which is the case only for a remote store. */
const savesRoundTrip = ({ dialect }: Service['store'], { path }: IdentifiedRequest): boolean =>
  path.resource.served === undefined && dialect.isFar === true;

/**
 * Wraps a store so that each write confirms the facts about its caller within the transaction. A write raises
 * StaleCaller if the facts have changed.
 */
const confirmingStore = (store: Store<Command, WriteResult>, facts: string): Store<Command, WriteResult> => ({
  ...store,
  write: async (command) => {
    const result = await store.write(command.kind === 'write' ? { ...command, presumed: facts } : command);
    if (result.kind === 'misjudged') throw new StaleCaller('the caller was another one');
    return result;
  },
});

/** Wraps the service for a presumed caller: the first read or write confirms the facts in the same round trip. */
function confirmingService(service: Service, key: string, facts: string): Service {
  const { store } = service;
  const reader = confirming(store, key);
  const confirmCaller = async (): Promise<void> => {
    if ((await reader.facts()) !== facts) throw new StaleCaller('the caller is another one now');
  };
  return { ...service, reader, store: confirmingStore(store, facts), confirmCaller };
}

/**
 * Handles a request with the caller cached for its key. The caller is confirmed in the same round trip as the first
 * read or write, which saves one or two round trips. Nothing is answered before the confirmation, not even a refusal.
 * Returns undefined without effect if no caller is cached or the confirmation fails.
 */
export async function asPresumed<Answer>(
  service: Service,
  identified: IdentifiedRequest,
  go: (service: Service, authenticated: AuthenticatedRequest) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (!savesRoundTrip(service.store, identified)) return undefined;
  const credentials = credentialsOf(identified);
  const key = credentials?.key.toLowerCase() ?? '';
  const presumed = service.callers.presume(key, credentials?.token ?? '', service.now());
  if (presumed === null) return undefined;
  const confirmed = confirmingService(service, key, presumed.facts);
  const answer = async (): Promise<Answer> => {
    admit(service, identified, key, presumed);
    return go(confirmed, { ...identified, caller: presumed.caller });
  };
  try {
    const answered = await answer().catch(async (error: unknown) => {
      if (error instanceof Problem) await confirmed.confirmCaller();
      throw error;
    });
    // A write has confirmed the caller in its transaction.
    if (identified.operation === 'get') await confirmed.confirmCaller();
    return answered;
  } catch (error) {
    if (!(error instanceof StaleCaller)) throw error;
    service.callers.forget(key);
    return undefined;
  }
}
