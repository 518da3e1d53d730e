import { EngineProblem } from '../../engine.ts';

/** Makes column names unique regardless of case; numbers columns without a name. */
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
 * Returns column names for a file without a header: `names`, or numbers. Raises EngineProblem `input` if their count
 * does not match.
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
