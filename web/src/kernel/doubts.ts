import { isApiError } from './api-error.ts'

interface Asked {
  readonly id: string
  readonly msg: string
}
const askedBy = (error: unknown): readonly Asked[] => {
  if (!isApiError(error) || error.reason !== 'kernel/asks') return []
  const asks = (error.data as { asks?: readonly Asked[] } | null | undefined)?.asks
  return Array.isArray(asks) ? asks : []
}

/**
 * Sends what the server may ask about: each doubt is shown, and once it is confirmed the same is sent with it.
 *
 * @param send - sends quietly; `sure` belongs into the input
 * @param ask - shows the doubts. @returns whether they are confirmed
 * @throws the refusal where they are not, and everything else that is refused
 */
export const withDoubts = async <T>(
  send: (sure: { readonly sure?: string }) => Promise<T>,
  ask: (doubts: readonly string[]) => Promise<boolean>,
): Promise<T> => {
  const known: string[] = []
  for (;;)
    try {
      return await send(known.length === 0 ? {} : { sure: known.join(',') })
    } catch (error) {
      const asked = askedBy(error)
      // What was confirmed is not asked again: a server that does is not asked for ever.
      if (asked.every(({ id }) => known.includes(id))) throw error
      if (!(await ask(asked.map(({ msg }) => msg)))) throw error
      known.push(...asked.map(({ id }) => id))
    }
}

/** Whether a refusal only asks: nothing is wrong. */
export const isAsking = (error: unknown): boolean => askedBy(error).length > 0
