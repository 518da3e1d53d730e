import { checkContents } from '../check/faults.ts';
import type { DashboardModel } from '../model/model.ts';
import { ChangeError, changeFault, type ChangeFault } from './fault.ts';
import { setStep, unsetStep, type Step } from './steps/member-step.ts';
import type { Change, Operation } from './operation.ts';
import { insertStep, moveStep, removeStep } from './steps/part-step.ts';

function stepOf(model: DashboardModel, operation: Operation): Step {
  switch (operation.kind) {
    case 'set':
      return setStep(model, operation);
    case 'unset':
      return unsetStep(model, operation);
    case 'insert':
      return insertStep(model, operation);
    case 'remove':
      return removeStep(model, operation);
    case 'move':
      return moveStep(model, operation);
  }
}

function contentsFaults({ contents }: DashboardModel): readonly ChangeFault[] {
  const faults: ChangeFault[] = [];
  checkContents(contents, 'contents', (place, message) =>
    faults.push(changeFault('contents_refused', place, null, message)),
  );
  return faults;
}

/** An operation, and the models before and after it. */
export interface Turn extends Step {
  readonly operation: Operation;
  readonly before: DashboardModel;
}

/**
 * Carries out the operations of a change, and returns the model after it. `visit` sees each operation in its turn. Raises
 * ChangeError with the faults of all operations, and if contents that were valid would not be any more.
 */
export function carryOut(
  model: DashboardModel,
  change: Change,
  visit: (turn: Turn) => void = () => undefined,
): DashboardModel {
  const faults: ChangeFault[] = [];
  let current = model;
  for (const [index, operation] of change.entries()) {
    try {
      const step = stepOf(current, operation);
      visit({ ...step, operation, before: current });
      current = step.model;
    } catch (error) {
      // Each text of a change can be read by itself, and still be nested too deep in its place.
      if (error instanceof SyntaxError) faults.push(changeFault('contents_refused', '', index, error.message));
      else if (error instanceof ChangeError)
        faults.push(...error.faults.map((fault) => ({ ...fault, operation: index })));
      else throw error;
    }
  }
  if (faults.length === 0 && contentsFaults(model).length === 0) faults.push(...contentsFaults(current));
  if (faults.length > 0) throw new ChangeError(faults);
  return current;
}

/**
 * Returns the model after a change. Raises ChangeError if an address is missing, and if contents that were valid would
 * not be any more.
 * @example apply(model, [{ kind: 'set', part: 'view:desktop/item:sales', path: ['title'], text: '"Revenue"' }])
 */
export const apply = (model: DashboardModel, change: Change): DashboardModel => carryOut(model, change);

/**
 * Returns the change that restores the text before a change, byte by byte. It applies to the model after the change.
 * Raises ChangeError where `apply` does.
 */
export function invert(model: DashboardModel, change: Change): Change {
  const undos: (readonly Operation[])[] = [];
  carryOut(model, change, ({ undo }) => undos.push(undo));
  return undos.toReversed().flat();
}
