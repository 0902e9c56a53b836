import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page, Request } from 'playwright-core'

interface Traffic {
  readonly under: Set<Request>
  begun: number
}

const traffic = new WeakMap<Page, Traffic>()

/** Counts what pages ask for, for `calm`; before the context opens its first page. */
export const countTraffic = (context: BrowserContext): void => {
  context.on('page', page => {
    const own: Traffic = { under: new Set(), begun: 0 }
    traffic.set(page, own)
    page.on('request', request => {
      // What the page before had under way is not awaited any more.
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) own.under.clear()
      own.begun += 1
      own.under.add(request)
    })
    page.on('requestfinished', request => void own.under.delete(request))
    page.on('requestfailed', request => void own.under.delete(request))
  })
}

/**
 * Twice in a row the page had nothing to do: what an answer set going has been drawn, and has asked for what it needs. On a busy machine that takes
 * a while; only a page that never rests, with something that moves for ever, is not waited for longer than a second.
 */
const idle = `new Promise(done => {
  const rest = next => requestIdleCallback(() => setTimeout(next), { timeout: 1_000 })
  rest(() => requestAnimationFrame(() => rest(done)))
})`

/** Of what is counted here, so often; asking the page itself costs more. */
const lookAgainMs = 10

/** No request is on its way, and nothing is left to do that could begin one. Says so at once, where `networkidle` waits half a second. */
export const calm = async (page: Page): Promise<void> => {
  const own = traffic.get(page)
  if (own === undefined) throw new Error('countTraffic has not seen this page begin')
  const deadline = performance.now() + 30_000
  await page.waitForLoadState('load')
  for (;;) {
    while (own.under.size > 0 && performance.now() < deadline) await pause(lookAgainMs)
    const { begun } = own
    // A page that goes elsewhere by itself meanwhile is looked at anew.
    const stayed = await page.evaluate(idle).then(
      () => true,
      (error: Error) => {
        if (/context was destroyed|navigation/.test(error.message)) return false
        throw error
      },
    )
    if (stayed && own.under.size === 0 && own.begun === begun) return
    if (performance.now() > deadline) throw new Error(`still under way: ${[...own.under].map(request => request.url()).join(', ')}`)
  }
}
