import { type Ahead, askNow } from './ahead.ts'
import { commonHeaders } from './api.ts'
import { settings } from './settings.ts'

/** Begins a reading call whose answer the next call of the same path gets; `path` with its query, as `urlOf` writes it. */
export const askAhead = (path: string): void => {
  const headers = commonHeaders()
  const answer = askNow(settings.apiBase + path, { credentials: 'include', headers })
  answer.catch(() => {})
  const place = globalThis as Ahead
  place.kaopuAhead ??= {}
  place.kaopuAhead[settings.apiBase + path] = { headers: JSON.stringify(headers), sentAtMs: Date.now(), answer }
}
