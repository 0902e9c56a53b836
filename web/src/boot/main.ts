import '../kernel/theme/tokens.css'
import { loadChunk } from '../kernel/chunk.ts'
import { logError } from '../kernel/errors.ts'
import { decide, type Entry, entryOf, isPublicPath } from '../kernel/guard.ts'
import { loadTexts, translate } from '../kernel/i18n/index.ts'
import { forgetSession, useSession } from '../kernel/session.ts'
import { startKernel } from '../kernel/start.ts'

/** What each of the programs exports: draws itself into `root` and answers how to take it away again. */
export interface EntryModule {
  /** Ends when the first drawing need not wait any more. */
  readonly ready?: () => Promise<void>
  readonly mount: (root: HTMLElement) => () => void
}

const entries: Record<Entry, () => Promise<EntryModule>> = {
  login: () => import('../login/entry.tsx'),
  // Staff with a phone at a door have pages of their own, which open without a network.
  console: () => (location.pathname === '/site' ? import('../site/entry.tsx') : import('../console/entry.tsx')),
  portal: async () => {
    const coming = import('../portal/entry.tsx')
    // Beside the program, so that nothing moves when it comes; a screen that becomes wide later asks for it then.
    if (matchMedia('(min-width: 992px)').matches) await import('../portal/wide.css')
    return coming
  },
}

const root = document.getElementById('root')
let takeAway: (() => void) | null = null

/** Looks at the session and the address, and draws the program they ask for (decision 2.14). */
const enter = async (): Promise<void> => {
  if (root === null) return
  const guarded = () => {
    const { token, user, locked } = useSession.getState()
    return { session: { token, userType: user?.userType ?? null }, locked }
  }
  const { session, locked } = guarded()
  const decision = decide(session, locked, {
    pathname: location.pathname,
    search: location.search,
    isPublic: isPublicPath(location.pathname),
  })
  if (decision.kind === 'redirect') {
    if (decision.forget) forgetSession()
    history.replaceState(null, '', decision.to)
  }
  try {
    const coming = loadChunk(entries[entryOf(guarded().session, location.pathname)])
    const [module] = await Promise.all([coming, loadTexts()])
    await module.ready?.()
    takeAway?.()
    takeAway = module.mount(root)
  } catch (error) {
    logError(error, 'boot')
    showFailure(root)
  }
}

/** Without its files no program can draw anything: plain words and a button. */
const showFailure = (into: HTMLElement): void => {
  const [box, text, again] = ['main', 'h1', 'button'].map(name => document.createElement(name)) as [HTMLElement, HTMLElement, HTMLElement]
  box.style.cssText = 'padding:30vh 16px;text-align:center'
  text.textContent = translate('error.load')
  again.textContent = translate('action.retry')
  again.onclick = () => location.reload()
  box.append(text, again)
  into.replaceChildren(box)
}

startKernel()
addEventListener('kaopu-enter', () => void enter())
void enter()
