import { afterEach, expect, test, vi } from 'vitest'
import { type Ahead, takeAhead } from './ahead.ts'
import { askAhead } from './ask-ahead.ts'
import { commonHeaders } from './send.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  delete (globalThis as Ahead).kaopuAhead
})

test('what is asked for ahead is read whole, taken once, and not asked for again while it is fresh', async () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] })
  const came: Response[] = []
  const ask = vi.fn(() => {
    const response = new Response('{"code":200}', { status: 200, headers: { 'Content-Type': 'application/json' } })
    came.push(response)
    return Promise.resolve(response)
  })
  vi.stubGlobal('fetch', ask)
  vi.stubGlobal('location', { search: '' })
  const url = '/api/blade-exam/examination/page?size=200'
  askAhead('/blade-exam/examination/page?size=200')
  const early = await (globalThis as Ahead).kaopuAhead?.[url]?.answer
  expect(came[0]?.bodyUsed).toBe(true)
  expect(await takeAhead(url, commonHeaders())).toBe(early)
  expect([early?.response.status, early?.response.headers.get('Content-Type'), await early?.response.text()]).toEqual([
    200,
    'application/json',
    '{"code":200}',
  ])
  expect(await takeAhead(url, commonHeaders())).toBeNull()
  vi.setSystemTime(1_029_999)
  askAhead('/blade-exam/examination/page?size=200')
  expect(ask).toHaveBeenCalledTimes(1)
  vi.setSystemTime(1_030_000)
  askAhead('/blade-exam/examination/page?size=200')
  expect(ask).toHaveBeenCalledTimes(2)
})
