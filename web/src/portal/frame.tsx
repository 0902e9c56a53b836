import { lazy, type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import { setLang, useLang, useT } from '#web/kernel/i18n/index.ts'
import { useSession } from '#web/kernel/session.ts'
import { setMode, useTheme } from '#web/kernel/theme/theme.ts'
import { Toaster } from '#web/kernel/toaster.tsx'
import { useRead } from './calls.ts'
import { useAskStore } from './kit/ask.ts'
import { BellIcon, FormIcon, HomeIcon, type IconProps, MoonIcon, OfflineIcon, PersonIcon, SunIcon } from './kit/icons.tsx'
import { PayNotices } from './pay/notices.tsx'
import { portalTexts } from './texts.ts'

const AskHost = lazy(async () => ({ default: (await import('./kit/ask-host.tsx')).AskHost }))

/** Whether the browser believes to be connected. */
export const useOnline = (): boolean =>
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

interface TabDef {
  readonly to: string
  readonly key: 'tab.home' | 'tab.sign' | 'tab.mine' | 'tab.notice'
  readonly icon: (props: IconProps) => ReactNode
  /** Paths that belong to the tab. */
  readonly owns: RegExp
}
const tabs: readonly TabDef[] = [
  { to: '/', key: 'tab.home', icon: HomeIcon, owns: /^\/(wel\/index|problem\/problem)?$/ },
  { to: '/signup/examList', key: 'tab.sign', icon: FormIcon, owns: /^\/signup\/(examList|exam\/|form\/)/ },
  { to: '/signup/myExam', key: 'tab.mine', icon: PersonIcon, owns: /^\/(signup\/(myExam|examPay|ticket|score)|info)/ },
  { to: '/notice/index', key: 'tab.notice', icon: BellIcon, owns: /^\/notice/ },
]

/** Counted on the newest page of messages: older unread ones are found in the list. */
export const useUnread = (): number => {
  const signedIn = useSession(session => session.user !== null)
  const messages = useRead('messages', { current: 1, size: 50 }, { enabled: signedIn, refetchEveryMs: 120_000 })
  return messages.data?.records.filter(row => !row.readTime).length ?? 0
}

const Tabs = ({ className }: { readonly className: string }) => {
  const t = useT(portalTexts)
  const [path] = useLocation()
  const unread = useUnread()
  return (
    <nav className={className} aria-label={t('nav.main')}>
      {tabs.map(({ to, key, icon: Icon, owns }) => (
        <Link key={key} href={to} aria-current={owns.test(path) ? 'page' : undefined}>
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

const Head = ({ signedIn }: { readonly signedIn: boolean }) => {
  const t = useT(portalTexts)
  const lang = useLang()
  const { mode, forced } = useTheme()
  return (
    <header className="p-head">
      <div className="p-head-in">
        <Link href="/" className="p-brand-mark" aria-hidden="true" tabIndex={-1}>
          <FormIcon size={18} />
        </Link>
        <Link href="/" className="p-brand">
          {t('app.name')}
        </Link>
        {signedIn ? <Tabs className="p-nav-wide" /> : <span className="p-nav-wide" />}
        <button
          type="button"
          className="p-icon-btn"
          onClick={() => setLang(lang === 'zh' ? 'en' : 'zh')}
          lang={lang === 'zh' ? 'en' : 'zh-CN'}
        >
          {lang === 'zh' ? 'EN' : '中文'}
        </button>
        {!forced && (
          <button
            type="button"
            className="p-icon-btn"
            aria-label={t(mode === 'dark' ? 'app.theme.toLight' : 'app.theme.toDark')}
            onClick={() => setMode(mode === 'dark' ? 'light' : 'dark')}
          >
            {mode === 'dark' ? <SunIcon /> : <MoonIcon />}
          </button>
        )}
      </div>
    </header>
  )
}

/** Pages where the tab bar would cover the form's own buttons. */
const isBare = (path: string): boolean => /^\/(signup\/form\/|register)/.test(path)
const isNarrow = (path: string): boolean => /^\/(register|info|notice|signup\/(ticket|score|examPay)|problem)/.test(path)

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
  const [path] = useLocation()
  const online = useOnline()
  const [wasOffline, setWasOffline] = useState(false)
  const signedIn = useSession(session => session.user !== null)
  const bare = isBare(path) || !signedIn
  const asked = useAskStore(state => state.question !== null)
  useArrival(path)
  useEffect(() => {
    if (!online) setWasOffline(true)
  }, [online])
  return (
    <div className="portal">
      <a className="p-skip" href="#main">
        {t('app.skip')}
      </a>
      <Head signedIn={signedIn} />
      <div role="status">
        {wasOffline && !online && (
          <div className="p-offline">
            <OfflineIcon size={18} />
            <span>{t('app.offline')}</span>
          </div>
        )}
      </div>
      <main id="main" tabIndex={-1} className={`p-main${bare ? ' is-bare' : ''}${isNarrow(path) ? ' is-narrow' : ''}`}>
        {children}
      </main>
      {!bare && <Tabs className="p-tabbar" />}
      {signedIn && <PayNotices />}
      {asked && (
        <Suspense fallback={null}>
          <AskHost />
        </Suspense>
      )}
      <Toaster />
    </div>
  )
}
