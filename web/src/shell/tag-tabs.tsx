import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { api } from '../kernel/api.ts'
import { useLabel, useLang, useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { loadPermissions } from '../kernel/permission.ts'
import { useTheme } from '../kernel/theme/theme.ts'
import { askToLeave, confirm } from '../ui/dialog.tsx'
import { Icon, iconPaths } from '../ui/icon.tsx'
import { FloatingPanel, MenuItems } from '../ui/menu-button.tsx'
import { tabHasChanges } from '../ui/unsaved.ts'
import { goTo } from './go.ts'
import { homePath } from './menu.ts'
import { NavLink } from './nav-link.tsx'
import { closeAllTabs, closeTab, hrefOf, keepTabs, moveTab, renewTab, useTabs } from './tabs.ts'
import { shellTexts } from './texts.ts'

/** Unsaved input in any of the tabs is asked about once. */
const mayClose = async (paths: readonly string[]): Promise<boolean> => !paths.some(tabHasChanges) || (await askToLeave())

/** What the tab bar and its menu do (S2.25, S2.26). */
const useTabActions = () => {
  const t = useT(shellTexts)
  const client = useQueryClient()
  const pathsBut = (path: string | null) =>
    useTabs
      .getState()
      .tabs.map(tab => tab.path)
      .filter(each => each !== path)
  return {
    close: async (path: string): Promise<boolean> => {
      if (useTabs.getState().tabs.length < 2 || !(await mayClose([path]))) return false
      const next = closeTab(path)
      if (next !== null) goTo(hrefOf(next))
      return true
    },
    closeOthers: async (path: string) => {
      // The home page stays: it is where one goes from here.
      if (!(await mayClose(pathsBut(path).filter(each => each !== homePath)))) return
      keepTabs([path, homePath])
      const kept = useTabs.getState().tabs.find(tab => tab.path === path)
      if (kept !== undefined && useTabs.getState().active !== path) goTo(hrefOf(kept))
    },
    refresh: async (path: string) => {
      if (await mayClose([path])) renewTab(path)
    },
    closeAll: async () => {
      if (!(await mayClose(pathsBut(null)))) return
      closeAllTabs()
      goTo(homePath)
    },
    /** What the server keeps of this person, what this page has read, and the drawn page itself. */
    clearCache: async (path: string) => {
      if (!(await confirm({ title: t('tabs.clearCache'), text: t('tabs.clearCache.ask') }))) return
      if (!(await mayClose([path]))) return
      try {
        await api.call('GET /blade-auth/oauth/clear-cache')
      } catch {
        return // The api client has said why.
      }
      client.removeQueries({ type: 'inactive' })
      void client.invalidateQueries()
      void loadPermissions().catch(() => {})
      renewTab(path)
      notify('success', t('tabs.clearCache.done'))
    },
  }
}

interface MenuAt {
  readonly path: string
  readonly anchor: HTMLElement
}

/** One link per open page; the last one cannot be closed (S2.25). The bar is one stop for the keyboard: arrows walk along it. */
export const TagTabs = () => {
  const t = useT(shellTexts)
  const label = useLabel()
  const lang = useLang()
  const { tabs, active } = useTabs()
  const actions = useTabActions()
  const list = useRef<HTMLUListElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const [menu, setMenu] = useState<MenuAt | null>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const stop = tabs.some(tab => tab.path === focused) ? focused : (active ?? tabs[0]?.path)

  const links = () => [...(list.current?.querySelectorAll<HTMLAnchorElement>('a') ?? [])]
  const title = tabs.find(tab => tab.path === active)?.title
  const preset = useTheme(theme => theme.look?.theme)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language, title or theme has another width
  useEffect(() => {
    // With the frame that lays the page out anyway.
    const frame = requestAnimationFrame(() =>
      list.current?.querySelector('[data-active=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [active, lang, title, preset])
  useEffect(() => {
    if (active !== null) setFocused(active)
  }, [active])

  const openMenu = (path: string, anchor: HTMLElement) => setMenu({ path, anchor })
  const closeMenu = (back: boolean) => {
    setMenu(null)
    if (back && menu !== null) (menu.anchor.querySelector('a') ?? menu.anchor).focus()
  }
  const closeByKey = async (path: string, index: number) => {
    if (!(await actions.close(path))) return
    // The focus goes to the tab that took the place of the closed one.
    requestAnimationFrame(() => (links()[index] ?? links().at(-1))?.focus())
  }
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const all = links()
    const index = all.indexOf(document.activeElement as HTMLAnchorElement)
    const tab = tabs[index]
    const link = all[index]
    if (tab === undefined || link === undefined) return
    const steps: Record<string, number> = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: all.length - 1 }
    const to = steps[event.key]
    if (to !== undefined) all[(to + all.length) % all.length]?.focus()
    else if (event.key === 'Delete') void closeByKey(tab.path, index)
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) openMenu(tab.path, link)
    else if (event.key === ' ') goTo(hrefOf(tab))
    else return
    event.preventDefault()
  }
  const onDrop = (event: DragEvent, index: number) => {
    event.preventDefault()
    if (dragged !== null) moveTab(dragged, index)
    setDragged(null)
  }
  const onMiddle = (event: MouseEvent, path: string) => {
    if (event.button !== 1) return
    event.preventDefault()
    void actions.close(path)
  }
  const choices = (path: string) => {
    const index = tabs.findIndex(tab => tab.path === path)
    return [
      { key: 'refresh', label: t('tabs.refresh'), onChoose: () => void actions.refresh(path) },
      { key: 'cache', label: t('tabs.clearCache'), onChoose: () => void actions.clearCache(path) },
      { key: 'close', label: t('tabs.closeThis'), disabled: tabs.length < 2, onChoose: () => void actions.close(path) },
      { key: 'others', label: t('tabs.closeOthers'), disabled: tabs.length < 2, onChoose: () => void actions.closeOthers(path) },
      { key: 'all', label: t('tabs.closeAll'), onChoose: () => void actions.closeAll() },
      { key: 'left', label: t('tabs.moveLeft'), disabled: index <= 0, onChoose: () => moveTab(path, index - 1) },
      { key: 'right', label: t('tabs.moveRight'), disabled: index >= tabs.length - 1, onChoose: () => moveTab(path, index + 1) },
    ]
  }

  return (
    <nav className="tag-tabs" aria-label={t('tabs.label')}>
      <ul ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab, index) => (
          <li
            key={tab.path}
            className="tag-tab"
            data-active={tab.path === active}
            data-dragged={tab.path === dragged || undefined}
            draggable
            onDragStart={event => {
              setDragged(tab.path)
              event.dataTransfer.effectAllowed = 'move'
              event.dataTransfer.setData('text/plain', tab.path)
            }}
            onDragEnd={() => setDragged(null)}
            onDragOver={event => dragged !== null && event.preventDefault()}
            onDrop={event => onDrop(event, index)}
            onAuxClick={event => onMiddle(event, tab.path)}
            onContextMenu={event => {
              event.preventDefault()
              openMenu(tab.path, event.currentTarget)
            }}
          >
            <NavLink
              to={hrefOf(tab)}
              draggable={false}
              title={label(tab.title)}
              tabIndex={tab.path === stop ? 0 : -1}
              aria-current={tab.path === active ? 'page' : undefined}
              aria-keyshortcuts="Delete Shift+F10"
              onFocus={() => setFocused(tab.path)}
            >
              {label(tab.title)}
            </NavLink>
            {tabs.length > 1 ? (
              <button
                type="button"
                tabIndex={-1}
                aria-label={t('tabs.close', { title: label(tab.title) })}
                onClick={() => void actions.close(tab.path)}
              >
                <Icon d={iconPaths.close} size={12} />
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {active === null ? null : (
        <button
          type="button"
          className="icon-button tag-more"
          aria-label={t('tabs.more')}
          title={t('tabs.more')}
          aria-haspopup="menu"
          aria-expanded={menu !== null}
          onClick={event => (menu === null ? openMenu(active, event.currentTarget) : setMenu(null))}
        >
          <Icon d={iconPaths.down} size={14} />
        </button>
      )}
      {menu === null ? null : (
        <FloatingPanel anchor={menu.anchor} label={t('tabs.menu')} popup="menu" align="left" onClose={closeMenu}>
          <MenuItems items={choices(menu.path)} close={() => closeMenu(true)} />
        </FloatingPanel>
      )}
    </nav>
  )
}
