import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { setLang, useLang, useT } from '#web/kernel/i18n/index.ts'
import { messageStore } from '#web/kernel/notify.ts'
import { setMode, useTheme } from '#web/kernel/theme/theme.ts'
import { setBig, useBig } from './big.ts'
import { useRead } from './calls.ts'
import { answers } from './data/answers.ts'
import { useAskStore } from './kit/ask.ts'
import { BellIcon, FormIcon, HomeIcon, type IconProps, MoonIcon, PersonIcon, SunIcon, TypeIcon } from './kit/icons.tsx'
import { useIdle } from './kit/idle.ts'
import { Link, usePath } from './kit/router.tsx'
import { useCandidate } from './own.ts'
import { PayNotices } from './pay/notices.tsx'
import { portalTexts } from './texts.ts'

/** What can come after the first page is drawn: notices, questions, messages, the worker. */
const Later = lazy(() => import('./later.tsx').then(module => ({ default: module.Later })))
const Trouble = lazy(() => import('./trouble.tsx').then(module => ({ default: module.Trouble })))
const SideLinks = lazy(() => import('./side-links.tsx').then(module => ({ default: module.SideLinks })))

/** Whether the browser believes to be connected. */
const useOnline = (): boolean =>
  useSyncExternalStore(
    changed => {
      addEventListener('online', changed)
      addEventListener('offline', changed)
      return () => {
        removeEventListener('online', changed)
        removeEventListener('offline', changed)
      }
    },
    () => navigator.onLine,
  )

const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    useCallback(
      changed => {
        const list = matchMedia(query)
        list.addEventListener('change', changed)
        return () => list.removeEventListener('change', changed)
      },
      [query],
    ),
    () => matchMedia(query).matches,
  )

interface TabDef {
  readonly to: string
  readonly key: 'tab.home' | 'tab.sign' | 'tab.mine' | 'tab.notice'
  readonly icon: (props: IconProps) => ReactNode
  /** Paths that belong to the tab; those in the list beside it on wide screens are marked there alone. */
  readonly owns: RegExp
}
const tabs: readonly TabDef[] = [
  { to: '/', key: 'tab.home', icon: HomeIcon, owns: /^\/(wel|problem|news|notices|publicity|$)/ },
  { to: '/signup/examList', key: 'tab.sign', icon: FormIcon, owns: /^\/signup\/(exam(List|\/)|form)/ },
  { to: '/signup/myExam', key: 'tab.mine', icon: PersonIcon, owns: /^\/(signup\/(?!exam(List|\/)|form)|info)/ },
  { to: '/notice/index', key: 'tab.notice', icon: BellIcon, owns: /^\/notice\// },
]

/** Counted on the newest page of messages: older unread ones are found in the list. */
const useUnread = (): number => {
  const messages = useRead('messages', { current: 1, size: 50 }, { refetchEveryMs: 120_000 })
  return messages.data?.records.filter(row => !row.readTime).length ?? 0
}

const Tabs = ({ wide }: { readonly wide: boolean }) => {
  const t = useT(portalTexts)
  const path = usePath()
  const unread = useUnread()
  return (
    <nav className="p-tabbar" aria-label={t('nav.main')}>
      {tabs.map(({ to, key, icon: Icon, owns }) => (
        <Link key={key} href={to} aria-current={(wide && isNarrow(path) ? to === path : owns.test(path)) ? 'page' : undefined}>
          <Icon />
          <span>{t(key)}</span>
          {key === 'tab.notice' && unread > 0 && (
            <span className="p-badge">
              <span aria-hidden="true">{unread > 49 ? '49+' : unread}</span>
              <span className="p-hidden">{t('nav.unread', { count: unread })}</span>
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}

/** Language, size of type and appearance: on every page, so on the first one too. */
const Choices = () => {
  const t = useT(portalTexts)
  const lang = useLang()
  const big = useBig()
  const { mode, forced } = useTheme()
  return (
    <div className="p-choices-bar">
      <button
        type="button"
        className="p-icon-btn"
        onClick={() => setLang(lang === 'zh' ? 'en' : 'zh')}
        lang={lang === 'zh' ? 'en' : 'zh-CN'}
      >
        {lang === 'zh' ? 'EN' : '中文'}
      </button>
      <button
        type="button"
        className="p-icon-btn"
        aria-pressed={big}
        aria-label={t('app.big')}
        title={t('app.big')}
        onClick={() => setBig(!big)}
      >
        <TypeIcon />
      </button>
      {!forced && (
        <button
          type="button"
          className="p-icon-btn"
          aria-label={t(mode === 'dark' ? 'app.theme.toLight' : 'app.theme.toDark')}
          title={t(mode === 'dark' ? 'app.theme.toLight' : 'app.theme.toDark')}
          onClick={() => setMode(mode === 'dark' ? 'light' : 'dark')}
        >
          {mode === 'dark' ? <SunIcon /> : <MoonIcon />}
        </button>
      )}
    </div>
  )
}

const Head = () => {
  const t = useT(portalTexts)
  return (
    <header className="p-head">
      <Link href="/" className="p-brand">
        <span className="p-brand-mark" aria-hidden="true">
          <FormIcon size={18} />
        </span>
        {/* Where the name takes two lines, it breaks behind 系统 and not within it. */}
        <span className="p-brand-name">{t('app.name').replace('系统', '$&\u200b')}</span>
      </Link>
      <Choices />
    </header>
  )
}

/** Pages where the tab bar would cover the form's own buttons. */
const isBare = (path: string): boolean => /^\/(signup\/form\/|register)/.test(path)
const isNarrow = (path: string): boolean => /^\/(?!$|wel|signup\/(exam(List|\/)|form|myExam))/.test(path)

/** Moves the reading position to the new page's heading, as a page load would. */
const useArrival = (path: string) => {
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is the event
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    scrollTo(0, 0)
    const timer = setTimeout(() => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true }), 60)
    return () => clearTimeout(timer)
  }, [path])
}

export const Frame = ({ children }: { readonly children: ReactNode }) => {
  const t = useT(portalTexts)
  const path = usePath()
  const online = useOnline()
  const oldMs = useSyncExternalStore(
    tell => answers.onChange(tell),
    () => answers.oldestMs(),
  )
  const signedIn = useCandidate()
  const wide = useMedia('(min-width: 992px)')
  useEffect(() => {
    if (wide) import('./wide.css').catch(() => {})
  }, [wide])
  const bare = isBare(path) || !signedIn
  const asked = useAskStore(state => state.question !== null)
  const told = useStore(messageStore, state => state.messages.length > 0)
  const idle = useIdle()
  useArrival(path)
  return (
    <div className={`portal${signedIn ? ' has-rail' : ''}`}>
      <a className="p-skip" href="#main">
        {t('app.skip')}
      </a>
      <div className="p-rail">
        <Head />
        {signedIn && (wide || !bare) && <Tabs wide={wide} />}
        {signedIn && wide && (
          <Suspense fallback={null}>
            <SideLinks />
          </Suspense>
        )}
      </div>
      <div className="p-body">
        <div role="status">
          {(!online || oldMs !== null) && (
            <Suspense fallback={null}>
              <Trouble oldMs={oldMs} />
            </Suspense>
          )}
        </div>
        <main id="main" tabIndex={-1} className={`p-main${bare ? ' is-bare' : ''}${isNarrow(path) ? ' is-narrow' : ''}`}>
          {children}
        </main>
      </div>
      {signedIn && <PayNotices />}
      {(idle || asked || told) && (
        <Suspense fallback={null}>
          <Later />
        </Suspense>
      )}
    </div>
  )
}
