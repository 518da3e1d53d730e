import { confirming, StaleCaller } from '../../callers/presumed.ts';
import type { Command, WriteResult } from '../../commands/command.ts';
import { Problem } from '../../problems/problem.ts';
import type { Store } from '../../store/store.ts';
import { admit, credentialsOf, type AuthenticatedRequest } from '../authenticate.ts';
import type { IdentifiedRequest } from '../identify.ts';
import type { Service } from '../service.ts';

/** Whether it saves a round trip: only worth it for a remote store. */
const savesRoundTrip = ({ dialect }: Service['store'], { path }: IdentifiedRequest): boolean =>
  path.resource.served === undefined && dialect.isFar === true;

/** A store whose writes confirm the facts about their caller in the transaction. They raise StaleCaller. */
const confirmingStore = (store: Store<Command, WriteResult>, facts: string): Store<Command, WriteResult> => ({
  ...store,
  write: async (command) => {
    const result = await store.write(command.kind === 'write' ? { ...command, presumed: facts } : command);
    if (result.kind === 'misjudged') throw new StaleCaller('the caller was another one');
    return result;
  },
});

/** The service for a presumed caller: the first read or the write confirms the facts, in the same round trip. */
function confirmingService(service: Service, key: string, facts: string): Service {
  const { store } = service;
  const reader = confirming(store, key);
  const confirmCaller = async (): Promise<void> => {
    if ((await reader.facts()) !== facts) throw new StaleCaller('the caller is another one now');
  };
  return { ...service, reader, store: confirmingStore(store, facts), confirmCaller };
}

/**
 * Answers a request for the caller that its key had in an earlier request, and confirms that on the way: one round trip instead of two or
 * three. Nothing is answered before, not even a refusal. Undefined where no caller can be presumed, or the guess was wrong: then nothing
 * was done.
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
    // A write has confirmed it in its transaction.
    if (identified.operation === 'get') await confirmed.confirmCaller();
    return answered;
  } catch (error) {
    if (!(error instanceof StaleCaller)) throw error;
    service.callers.forget(key);
    return undefined;
  }
}
