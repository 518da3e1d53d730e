import { longReadProblem } from '../search/read-long.ts';
import { SnapshotLost, type Reader } from '../store/store.ts';
import type { AuthenticatedRequest } from './authenticate.ts';
import type { Service } from './service.ts';

/** Raised if memory for a large answer is not available. The snapshot must be closed before waiting for the memory. */
class RoomWanted extends Error {
  readonly bytes: number;
  constructor(bytes: number) {
    super('there is no room for the answer now');
    this.bytes = bytes;
  }
}

/** Memory reservation for an answer that may be read more than once. */
interface AnswerRoom {
  /**
   * Returns a function that reserves memory for one run of the work. That function raises RoomWanted if none is
   * available.
   */
  readonly taking: () => Service['reserveAnswer'];
  /** Waits for the missing memory. Raises Problem `overloaded`. */
  readonly wait: (wanted: RoomWanted) => Promise<void>;
}

function createAnswerRoom(service: Service, request: AuthenticatedRequest): AnswerRoom {
  let reserved = 0;
  return {
    taking() {
      let taken = 0;
      return async (_request, bytes) => {
        taken += bytes;
        const missing = taken - reserved;
        if (missing <= 0) return;
        if (!service.reserveAnswerNow(request, missing)) throw new RoomWanted(missing);
        reserved = taken;
      };
    },
    async wait({ bytes }) {
      await service.reserveAnswer(request, bytes);
      reserved += bytes;
    },
  };
}

/**
 * Runs read work of several statements in one snapshot of the store. The work first runs among short reads; if it takes
 * longer than a few ms, it runs again on its own. Raises Problem `find_too_long`, `overloaded`, and what the work
 * raises.
 */
export async function inSnapshot<Result>(
  service: Service,
  request: AuthenticatedRequest,
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const { snapshots } = service.reader;
  if (snapshots === undefined) return work(service);
  const room = createAnswerRoom(service, request);
  const reading = (reader: Reader): Promise<Result> => work({ ...service, reader, reserveAnswer: room.taking() });
  const apart = (): Promise<Result> => snapshots.apart(request.caller?.organizationId ?? '', reading);
  for (let read = (): Promise<Result> => snapshots.near(reading); ; read = apart) {
    try {
      return await read();
    } catch (error) {
      if (error instanceof RoomWanted) await room.wait(error);
      else if (!(error instanceof SnapshotLost)) throw longReadProblem(error);
    }
  }
}
