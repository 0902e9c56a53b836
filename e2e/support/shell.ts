import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, onTestFailed } from 'vitest'
import { comeIn, launchBrowser, type Screen, type Visitor, visit } from './browser.ts'
import { type Backdoor, openBackdoor, type StaffSpec } from './people.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './server.ts'
import { sharedServer } from './shared-server.ts'

export interface Console {
  readonly server: Pick<RunningServer, 'url' | 'dataDir' | 'output'>
  readonly backdoor: Backdoor
  /** A person at the login page. */
  come(name: string, options?: { readonly screen?: Screen; readonly language?: 'zh' | 'en' }): Promise<Visitor>
  /** The same, logged in and on the home page. */
  enter(account: string, options?: { readonly screen?: Screen; readonly language?: 'zh' | 'en' }): Promise<Visitor>
}

/** The settings of an ordinary server that is the file's alone: for whoever needs the rights of the platform, or what concerns the whole installation. */
export const ownServer: Readonly<Record<string, string>> = {}

/**
 * A tenant and a browser for the tests of a file, without settings on the shared server; each test has visitors of its own, and none of them may
 * see anything go wrong behind the screen.
 */
export const openConsole = (staff: readonly StaffSpec[], env?: Readonly<Record<string, string>>): Console => {
  let alone: RunningServer | undefined
  let server: Pick<RunningServer, 'url' | 'dataDir' | 'output'>
  let browser: Browser
  let backdoor: Backdoor
  let present: Visitor[] = []
  beforeAll(async () => {
    if (env !== undefined) {
      const dataDir = await newDataDir(env['KAOPU_PROFILE'] === 'demo' ? 'demo' : 'test')
      alone = await startServer({ dataDir, port: await freePort(), env })
    }
    server = alone ?? (await sharedServer())
    backdoor = await openBackdoor(server.dataDir)
    await backdoor.addStaff(staff)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await backdoor?.close()
    await alone?.stop()
    if (alone) await removeData(alone.dataDir)
  })
  afterEach(async ({ task }) => {
    const failed = task.result?.state === 'fail'
    const screens = failed ? await Promise.all(present.map(visitor => visitor.fail())) : []
    const troubles = present.flatMap(visitor => visitor.troubles().map(trouble => `${visitor.name}: ${trouble}`))
    for (const visitor of present) await visitor.leave()
    present = []
    if (failed) throw new Error([...screens, ...troubles].join('\n'))
    expect(troubles).toEqual([])
  })
  const come: Console['come'] = async (name, { screen = 'desktop', language = 'zh' } = {}) => {
    const visitor = await visit(browser, server.url, { name, screen, language })
    if (language === 'en')
      await visitor.context.addInitScript(`localStorage.getItem('kaopu-lang') ?? localStorage.setItem('kaopu-lang', '"en"')`)
    present.push(visitor)
    onTestFailed(() => {
      console.log(`${visitor.name} at ${visitor.page.url()}\n--- server\n${server.output()}`)
    })
    return visitor
  }
  return {
    get server() {
      return server
    },
    get backdoor() {
      return backdoor
    },
    come,
    enter: async (account, options) => {
      const visitor = await come(account, options)
      await comeIn(visitor, account)
      await visitor.page.locator('.staff-home h1').waitFor()
      return visitor
    },
  }
}
