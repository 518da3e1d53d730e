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

/**
 * Carries out each operation of a change, and returns the steps. Raises ChangeError with the faults of all operations,
 * and if contents that were valid would not be any more.
 */
export function stepsOf(model: DashboardModel, change: Change): readonly Step[] {
  const faults: ChangeFault[] = [];
  const steps: Step[] = [];
  let current = model;
  for (const [index, operation] of change.entries()) {
    try {
      const step = stepOf(current, operation);
      steps.push(step);
      current = step.model;
    } catch (error) {
      if (!(error instanceof ChangeError)) throw error;
      faults.push(...error.faults.map((fault) => ({ ...fault, operation: index })));
    }
  }
  if (faults.length === 0 && contentsFaults(model).length === 0) faults.push(...contentsFaults(current));
  if (faults.length > 0) throw new ChangeError(faults);
  return steps;
}

/**
 * Returns the model after a change. Raises ChangeError if an address is missing, and if contents that were valid would
 * not be any more.
 * @example apply(model, [{ kind: 'set', part: 'view:desktop/item:sales', path: ['title'], text: '"Revenue"' }])
 */
export const apply = (model: DashboardModel, change: Change): DashboardModel =>
  stepsOf(model, change).at(-1)?.model ?? model;

/**
 * Returns the change that restores the text before a change, byte by byte. It applies to the model after the change.
 * Raises ChangeError where `apply` does.
 */
export const invert = (model: DashboardModel, change: Change): Change =>
  stepsOf(model, change)
    .flatMap(({ undo }) => [undo])
    .toReversed()
    .flat();
