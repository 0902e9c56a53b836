import { type Ahead, askNow, type EarlyAnswer } from './ahead.ts'
import { commonHeaders } from './send.ts'
import * as settings from './settings.ts'

/** What was asked for ahead is still fresh in the program for so long (kernel/query.ts): a page that is opened again takes it from there. */
const freshMs = 30_000
const askedAtMs = new Map<string, number>()

/** Whole, whether anybody takes it or not: a body that nobody reads holds one of the browser's six connections. */
const whole = async ({ response, ...times }: EarlyAnswer): Promise<EarlyAnswer> => ({
  ...times,
  response: new Response(await response.blob(), response),
})

/** Begins a reading call whose answer the next call of the same path gets; `path` with its query, as `urlOf` writes it. */
export const askAhead = (path: string): void => {
  const url = settings.apiBase + path
  const sentAtMs = Date.now()
  if (sentAtMs - (askedAtMs.get(url) ?? 0) < freshMs) return
  askedAtMs.set(url, sentAtMs)
  const headers = commonHeaders()
  const answer = askNow(url, { credentials: 'include', headers }).then(whole)
  answer.catch(() => {})
  const place = globalThis as Ahead
  place.kaopuAhead ??= {}
  place.kaopuAhead[url] = { headers: JSON.stringify(headers), sentAtMs, answer }
}
