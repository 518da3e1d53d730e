import { EngineProblem } from '../../engine.ts';

/** Makes column names unique regardless of case. A column without a name is named by its number, such as `column_3`. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const usedNames = new Set<string>();
  return names.map((name, index) => {
    const base = name === '' ? `column_${index + 1}` : name;
    let uniqueName = base;
    for (let suffix = index + 1; usedNames.has(uniqueName.toLowerCase()); suffix += 1) uniqueName = `${base}_${suffix}`;
    usedNames.add(uniqueName.toLowerCase());
    return uniqueName;
  });
}

/**
 * Returns the column names of a file without a header: `names`, or column numbers if `names` is null. Raises
 * EngineProblem `input` if `names` does not have `width` entries.
 */
export function givenNames(names: readonly string[] | null, width: number): readonly string[] {
  if (names === null) return uniqueNames(Array.from({ length: width }, () => ''));
  if (names.length !== width)
    throw new EngineProblem(
      'input',
      `row 1 has ${width} cells, there are ${names.length} columns; say header=true where its first row names them`,
    );
  return names;
}
