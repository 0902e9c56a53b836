/** Examinations for the first page: those open for sign-up stand before those that open later, and there are at most `most`. */
export const openFirst = <E extends { readonly phase: string }>(exams: readonly E[], most: number): readonly E[] =>
  ['signing', 'notStarted'].flatMap(phase => exams.filter(exam => exam.phase === phase)).slice(0, most)
