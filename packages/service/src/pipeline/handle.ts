import { textsOf, writtenText } from './serialise.ts';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { execute, type Executed } from './execute.ts';
import { identify, type Incoming } from './identify.ts';
import type { Operation, Resource } from '../resource/define.ts';
import type { Asking } from '../search/run.ts';
import { entityTag } from '../write/write.ts';
import type { Service } from './service.ts';
import { validate } from './validate.ts';

/** A successful answer: JSON text, and the entity tag of a single record. */
export interface Answer {
  readonly operation: Operation;
  readonly body: string;
  readonly etag: string | null;
}

async function serialise(asking: Asking, resource: Resource, executed: Executed): Promise<Omit<Answer, 'operation'>> {
  switch (executed.kind) {
    case 'one': {
      const [body = ''] = await textsOf(asking, resource, [executed.seen], executed.find);
      return { body, etag: entityTag(executed.seen.stored) };
    }
    case 'many': {
      const rows = await textsOf(asking, resource, executed.rows, executed.find);
      return { body: `{"count":${executed.count},"rows":[${rows.join(',')}]}`, etag: null };
    }
    case 'written': {
      const body = await writtenText(asking, resource, executed.seen, executed.carried, executed.shown);
      return { body, etag: entityTag(executed.seen.stored) };
    }
    case 'deleted':
      return { body: '{"code":200}', etag: null };
  }
}

/** The six steps of every request; none can be skipped, for each needs what the one before it gave. Raises Problem. */
export async function handle(service: Service, incoming: Incoming): Promise<Answer> {
  const identified = identify(service.registry, incoming);
  const authenticated = await authenticate(service, identified);
  const validated = validate(service.registry, authenticated);
  const allowed = await authorize(service, validated);
  const executed = await execute(service, allowed);
  const asking = { reader: service.store, registry: service.registry, caller: allowed.caller };
  return { operation: allowed.operation, ...(await serialise(asking, allowed.path.resource, executed)) };
}
