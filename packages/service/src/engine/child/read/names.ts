import { EngineProblem } from '../../engine.ts';

/** Names of columns, each once whatever its case: those without one are numbered. */
export function uniqueNames(wanted: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return wanted.map((name, index) => {
    const given = name === '' ? `column_${index + 1}` : name;
    let unique = given;
    for (let more = index + 1; used.has(unique.toLowerCase()); more += 1) unique = `${given}_${more}`;
    used.add(unique.toLowerCase());
    return unique;
  });
}

/** Names of columns of a file that names none: those given, or numbers. Raises EngineProblem `input` where it has others. */
export function givenNames(names: readonly string[] | null, width: number): readonly string[] {
  if (names === null) return uniqueNames(Array.from({ length: width }, () => ''));
  if (names.length !== width)
    throw new EngineProblem(
      'input',
      `row 1 has ${width} cells, there are ${names.length} columns; say header=true where its first row names them`,
    );
  return names;
}
