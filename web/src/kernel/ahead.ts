/** An answer and when it was asked for and came, by this computer's clock. */
export interface EarlyAnswer {
  readonly response: Response
  readonly sentAtMs: number
  readonly cameAtMs: number
}

type Headers = Readonly<Record<string, string>>

interface Begun {
  /** Under which it was asked for, as JSON. */
  readonly headers: string
  readonly sentAtMs: number
  readonly answer: Promise<EarlyAnswer>
}

/** Where the boot script leaves them. */
export interface Ahead {
  kaopuAhead?: Record<string, Begun>
}

/**
 * Answers that are on their way before the part of the program that needs them is here: the boot script (web/boot.js) asks for the first
 * ones, the menu for those of a page that somebody opens.
 */
const place = globalThis as Ahead

/** An answer is as good as a new one for so long, as everywhere in the program. */
const freshMs = 30_000

/** A body that nobody reads holds one of the browser's six connections. */
const drop = ({ answer }: Begun): null => {
  void answer.then(
    ({ response }) => response.body?.cancel(),
    () => {},
  )
  return null
}

/** After a change every answer from before it is old. */
export const forgetAhead = (): void => {
  Object.values(place.kaopuAhead ?? {}).forEach(drop)
  place.kaopuAhead = {}
}

export const askNow = async (url: string, ask: RequestInit): Promise<EarlyAnswer> => {
  const sentAtMs = Date.now()
  const response = await fetch(url, ask)
  return { response, sentAtMs, cameAtMs: Date.now() }
}

/** The answer that is on its way already; each is given once, to whoever would ask the very same under the same headers. */
export const takeAhead = async (url: string, headers: Headers): Promise<EarlyAnswer | null> => {
  const all = place.kaopuAhead
  const early = all?.[url]
  if (!early) return null
  delete all[url]
  if (Date.now() - early.sentAtMs > freshMs || early.headers !== JSON.stringify(headers)) return drop(early)
  // What failed on the way is asked for again by whoever needs it.
  return early.answer.catch(() => null)
}
