/**
 * Ids as parameters and columns have them, comma-joined: each once, in their order. Of several texts the first that is there counts; of none
 * there are no ids.
 */
export const idsOf = (...joined: readonly (string | null | undefined)[]): string[] => [
  ...new Set(
    joined
      .find(one => one !== undefined && one !== null)
      ?.split(',')
      .filter(Boolean) ?? [],
  ),
]
