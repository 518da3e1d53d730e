import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { execute } from './execute.ts';
import { identify, type Incoming } from './identify.ts';
import { serialise, type Answer } from './serialise.ts';
import type { Service } from './service.ts';
import { validate } from './validate.ts';

/** The six steps of every request; none can be skipped, for each needs what the one before it gave. Raises Problem. */
export async function handle(service: Service, incoming: Incoming): Promise<Answer> {
  const identified = identify(service.registry, incoming);
  const authenticated = await authenticate(service, identified);
  const validated = validate(service.registry, authenticated);
  const allowed = await authorize(service, validated);
  const executed = await execute(service, allowed);
  return serialise(service, allowed, executed);
}
