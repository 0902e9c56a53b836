import { Outlet, useLocation } from '@tanstack/react-router'
import { Activity, useEffect, useState } from 'react'
import { examinationsPath, workspacePath } from '../console/page-entry.ts'
import { type ResolvedPage, resolvePage } from '../console/pages.ts'
import type { Label } from '../kernel/i18n/index.ts'
import { useT } from '../kernel/i18n/index.ts'
import { loadPermissions, usePermissionStore } from '../kernel/permission.ts'
import { keepChoice } from '../kernel/personal.ts'
import { useSession } from '../kernel/session.ts'
import * as settings from '../kernel/settings.ts'
import { onStored, readStored } from '../kernel/storage.ts'
import { Forbidden } from '../ui/states.tsx'
import { uiTexts } from '../ui/texts.ts'
import { anyTabHasChanges } from '../ui/unsaved.ts'
import { goTo } from './go.ts'
import { Header } from './header.tsx'
import { leavesOf, type MenuItem, useMenu } from './menu.ts'
import { Sider } from './sider.tsx'
import { TabPages } from './tab-pages.tsx'
import { openTab, useTabs } from './tabs.ts'
import { TagTabs } from './tag-tabs.tsx'
import './shell.css'
import './themes.css'
import './print.css'

const narrow = '(max-width: 991px)'
const isNarrow = () => matchMedia(narrow).matches

type Found =
  | { readonly kind: 'page'; readonly title: Label; readonly tab: string }
  | { readonly kind: 'moved'; readonly to: string }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'unknown' }

/** Where a page about one examination stands for somebody who has the workspaces; null where it stands by itself. */
const inWorkspace = ({ inSection, params }: ResolvedPage, text: string): string | null => {
  if (inSection === null || inSection.alsoAlone) return null
  const { examId, ...rest } = Object.fromEntries(new URLSearchParams(text))
  const id = params.id ?? examId ?? 'mine'
  // `/exam/edit/new` is about none yet.
  if (!/^(\d+|mine)$/.test(id)) return null
  const search = new URLSearchParams(rest).toString()
  return workspacePath(id, inSection.section, inSection.key) + (search === '' ? '' : `?${search}`)
}

/** Is there a page at the path, and is it in the person's menu? */
const find = async (path: string, search: string, menu: readonly MenuItem[]): Promise<Found> => {
  const leaf = leavesOf(menu).find(item => item.path === path)
  if (path.startsWith('/myiframe/')) return leaf === undefined ? { kind: 'unknown' } : { kind: 'page', title: leaf.label, tab: path }
  const page = await resolvePage(path)
  if (page === null) return { kind: 'unknown' }
  const allowed = page.menuPath === null || leavesOf(menu).some(item => item.path === page.menuPath)
  if (!allowed) return { kind: 'forbidden' }
  const to = leavesOf(menu).some(item => item.path === examinationsPath) ? inWorkspace(page, search) : null
  if (to !== null) return { kind: 'moved', to }
  return { kind: 'page', title: leaf?.label ?? page.title, tab: page.tab }
}

/** A page outside one's menu: it has no tab that could name the document. */
const ForbiddenPage = () => {
  const title = useT(uiTexts)('state.forbidden')
  useEffect(() => {
    document.title = title
  }, [title])
  return <Forbidden />
}

/**
 * Opens the page of each address as a tab (S2.22); an unknown one leads to /404 (S2.06), one outside the menu is refused. A part of its own,
 * so that the shell is not drawn anew with each address.
 */
const TabOfLocation = () => {
  const { pathname, searchStr } = useLocation()
  const { items } = useMenu()
  const [forbidden, setForbidden] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu is made anew with each render; its arrival is what counts
  useEffect(() => {
    if (items === null) return
    let gone = false
    void find(pathname, searchStr, items).then(found => {
      if (gone) return
      if (found.kind === 'unknown') goTo('/404', { replace: true })
      else if (found.kind === 'moved') goTo(found.to, { replace: true })
      else if (found.kind === 'forbidden') {
        useTabs.setState({ active: null })
        setForbidden(pathname)
      } else openTab({ path: found.tab, ...(found.tab === pathname ? {} : { at: pathname }), search: searchStr, title: found.title })
    })
    return () => {
      gone = true
    }
  }, [pathname, searchStr, items === null])
  return forbidden === pathname ? <ForbiddenPage /> : null
}

const useLeaving = () => {
  const locked = useSession(session => session.locked)
  const granted = usePermissionStore(state => state.granted)
  useEffect(() => {
    if (!locked) return
    const timer = setTimeout(() => goTo('/lock', { replace: true }), settings.lockDelayMs)
    return () => clearTimeout(timer)
  }, [locked])
  useEffect(() => {
    if (!locked && granted === null && useSession.getState().token !== null) void loadPermissions().catch(() => {})
  }, [locked, granted])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (anyTabHasChanges()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
}

const Shell = () => {
  const t = useT()
  const [folded, setFolded] = useState(() => isNarrow() || readStored<boolean>('folded') === true)
  useLeaving()
  useEffect(() => {
    const query = matchMedia(narrow)
    const changed = () => setFolded(query.matches || readStored<boolean>('folded') === true)
    query.addEventListener('change', changed)
    const stop = onStored('folded', changed)
    return () => {
      stop()
      query.removeEventListener('change', changed)
    }
  }, [])
  // On a narrow screen the menu is a drawer: it goes away when a page has been chosen.
  useEffect(() => useTabs.subscribe((now, before) => void (now.active !== before.active && isNarrow() && setFolded(true))), [])
  const fold = (next: boolean) => {
    setFolded(next)
    if (!isNarrow()) keepChoice('folded', next)
  }
  useEffect(() => {
    if (folded || !isNarrow()) return
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setFolded(true)
    }
    addEventListener('keydown', closeByKey)
    return () => removeEventListener('keydown', closeByKey)
  }, [folded])
  return (
    <div className="shell" data-folded={folded}>
      <a className="skip-link" href="#main">
        {t('app.skip')}
      </a>
      <Sider onUnfold={() => folded && fold(false)} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the same as the header's button, for a finger */}
      <div className="sider-veil" onClick={() => fold(true)} />
      <div className="shell-body">
        <Header folded={folded} onFold={() => fold(!folded)} />
        <TagTabs />
        <main id="main" className="shell-main" tabIndex={-1}>
          <TabOfLocation />
          <TabPages />
        </main>
      </div>
    </div>
  )
}

/** On /lock everything behind stays as it was left, hidden and asleep (decision 3.9). */
export const Layout = () => {
  const onLock = useLocation({ select: ({ pathname }) => pathname === '/lock' })
  const [opened, setOpened] = useState(!onLock)
  if (!onLock && !opened) setOpened(true)
  return (
    <>
      {opened ? (
        <Activity mode={onLock ? 'hidden' : 'visible'}>
          <Shell />
        </Activity>
      ) : null}
      <Outlet />
    </>
  )
}
