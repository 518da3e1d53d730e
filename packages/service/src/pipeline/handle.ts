import { authenticate, type AuthenticatedRequest } from './authenticate.ts';
import { noteConcerns, noteRecord } from './operations/concerns.ts';
import { authorize, type AuthorizedRequest } from './authorize.ts';
import { execute } from './execute.ts';
import { identify, type IncomingRequest } from './identify.ts';
import { asPresumed } from './credentials/presume.ts';
import { serialise, type Answer } from './serialise.ts';
import { withSentPlaces } from './operations/sent-places.ts';
import type { Service } from './service.ts';
import { inSnapshot } from './snapshot.ts';
import { validate } from './validate.ts';

/** The steps of a request after its caller is known. Raises Problem. */
export async function answerTo(service: Service, authenticated: AuthenticatedRequest): Promise<Answer> {
  const { path, envelope } = authenticated;
  noteConcerns(authenticated);
  try {
    return await takeSteps(service, authenticated);
  } catch (error) {
    throw withSentPlaces(error, path.resource.fields, envelope.properties);
  }
}

async function takeSteps(service: Service, authenticated: AuthenticatedRequest): Promise<Answer> {
  const validated = validate(service.registry, authenticated);
  const allowed = await authorize(service, validated);
  const answer = async (reading: Service): Promise<Answer> => {
    const executed = await execute(reading, allowed);
    noteRecord(allowed, executed);
    return serialise(reading, allowed, executed);
  };
  return isWithIncludes(allowed) ? inSnapshot(service, allowed, answer) : answer(service);
}

/** True if reading records and their includes takes several statements. */
const isWithIncludes = ({ input }: AuthorizedRequest): boolean =>
  (input.kind === 'get' || input.kind === 'search') && input.find.include.length > 0;

/**
 * Runs the six steps of a request. Each needs the result of the previous one, so that none can be skipped. Raises
 * Problem.
 */
export async function handle(service: Service, incoming: IncomingRequest): Promise<Answer> {
  const identified = identify(service.registry, incoming);
  const answer = await asPresumed(service, identified, answerTo);
  return answer ?? answerTo(service, await authenticate(service, identified));
}
