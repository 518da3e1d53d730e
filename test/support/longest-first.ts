import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long, which a clean clone cannot know: one of them at the end would leave the other worker idle. */
const longest = [
  'checks',
  'upgrade',
  'search-cost',
  'looks',
  'event-loop',
  'kill',
  'engine-fairness',
  'authorization-matrix',
];

const isLong = ({ moduleId }: TestSpecification): boolean =>
  longest.some((name) => moduleId.endsWith(`/${name}.test.ts`));

/** Runs the longest files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
