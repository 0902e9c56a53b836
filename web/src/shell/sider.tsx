import { Fragment, type MouseEvent, useEffect, useMemo, useRef, useState } from 'react'
import { beginPage, pageViews, preloadPage, sectionPages } from '../console/pages.ts'
import { useLabel, useT } from '../kernel/i18n/index.ts'
import { useTheme } from '../kernel/theme/theme.ts'
import { usePlatformTitle } from '../kernel/title.ts'
import { Icon, iconPaths } from '../ui/icon.tsx'
import { goTo } from './go.ts'
import { MenuIcon } from './icons.tsx'
import { leavesOf, type MenuItem, useSideMenu, withOneView, withoutSections } from './menu.ts'
import { NavLink } from './nav-link.tsx'
import { hrefOf, useTabs } from './tabs.ts'
import { shellTexts } from './texts.ts'

interface ItemProps {
  readonly item: MenuItem
  readonly active: string | null
  readonly open: ReadonlySet<string>
  readonly onToggle: (key: string) => void
  readonly depth: number
}

const inWorkspaces = new Set(sectionPages.filter(page => !page.alsoAlone).map(page => page.path))

/** The item of a page, or of what lies below it, such as one examination. */
const isAt = (active: string, { path, views }: MenuItem): boolean =>
  path !== null && (active === path || active.startsWith(`${path}/`) || views?.includes(active) === true)

const Item = ({ item, active, open, onToggle, depth }: ItemProps) => {
  const t = useT(shellTexts)
  const text = useLabel()(item.label)
  const inner = (
    <>
      {depth === 0 ? <MenuIcon code={item.code} path={item.path ?? item.children[0]?.path ?? null} source={item.source ?? ''} /> : null}
      <span className="menu-text">{text}</span>
    </>
  )
  if (item.children.length > 0) {
    const isOpen = open.has(item.key)
    return (
      <li>
        <button
          type="button"
          className="menu-item"
          data-depth={depth}
          aria-expanded={isOpen}
          title={text}
          onClick={() => onToggle(item.key)}
        >
          {inner}
          <span className="menu-arrow" data-open={isOpen}>
            <Icon d={iconPaths.down} size={12} />
          </span>
        </button>
        {isOpen ? (
          <ul>
            {item.children.map(child => (
              <Item key={child.key} item={child} active={active} open={open} onToggle={onToggle} depth={depth + 1} />
            ))}
          </ul>
        ) : null}
      </li>
    )
  }
  if (item.newWindow)
    return (
      <li>
        <a className="menu-item" data-depth={depth} title={text} href={item.href ?? item.path ?? '/'} target="_blank" rel="noreferrer">
          {inner}
          <span className="visually-hidden">{t('menu.newWindow')}</span>
        </a>
      </li>
    )
  const preload = () => item.path !== null && preloadPage(item.path)
  // A list that is open is found as it was left, with what was searched for in it.
  const enter = (event: MouseEvent) => {
    const tab = item.path === null ? undefined : useTabs.getState().tabs.find(one => one.path === item.path)
    if (tab === undefined) return item.path === null ? undefined : beginPage(item.path)
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    goTo(hrefOf(tab))
  }
  return (
    <li>
      <NavLink
        className="menu-item"
        data-depth={depth}
        title={text}
        to={item.path ?? '/'}
        // Within a page of the list, such as one examination, the list is where it belongs and not what is open.
        aria-current={active === null || !isAt(active, item) ? undefined : active === item.path ? 'page' : 'true'}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={enter}
      >
        {inner}
      </NavLink>
    </li>
  )
}

/** The side menu out of the server's tree; a pointed-at item starts to load its page. */
export const Sider = ({ onUnfold }: { readonly onUnfold: () => void }) => {
  const t = useT(shellTexts)
  const { items: all, isError, refetch } = useSideMenu()
  const items = useMemo(() => all && withOneView(withoutSections(all, inWorkspaces), pageViews), [all])
  const platform = usePlatformTitle()
  const active = useTabs(state => state.active)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    // A group that is the only one stands open: there is nothing else to choose from.
    const parent =
      items?.find(item => leavesOf(item.children).some(leaf => active !== null && isAt(active, leaf))) ??
      (items?.length === 1 ? items[0] : undefined)
    if (parent !== undefined) setOpen(before => (before.has(parent.key) ? before : new Set(before).add(parent.key)))
  }, [items, active])
  const nav = useRef<HTMLElement>(null)
  const parentOpen = items?.find(item => leavesOf(item.children).some(leaf => active !== null && isAt(active, leaf)))?.key
  const isShown = parentOpen === undefined || open.has(parentOpen)
  const preset = useTheme(theme => theme.look?.theme)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is active, its group was opened, or its theme has other lines
  useEffect(() => {
    // With the frame that lays the page out anyway.
    const frame = requestAnimationFrame(() => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }))
    return () => cancelAnimationFrame(frame)
  }, [active, isShown, preset])
  const onToggle = (key: string) => {
    onUnfold()
    setOpen(before => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  }
  return (
    <nav ref={nav} className="sider" aria-label={t('menu.label')}>
      <div className="sider-brand" title={platform}>
        <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" fill="var(--primary)" />
          <path d="M9 7h9l5 5v13H9z" fill="#fff" />
          <path d="M18 7v5h5" fill="var(--info-border)" />
          <path d="m12 18 3 3 5-6" fill="none" stroke="var(--primary)" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round" />
        </svg>
        {/* Where the name takes two lines, it breaks behind 系统 and not within it. */}
        <span className="menu-text">
          {platform.split(/(?<=系统)/).map((part, at) => (
            <Fragment key={part}>
              {at > 0 ? <wbr /> : null}
              {part}
            </Fragment>
          ))}
        </span>
      </div>
      {isError ? (
        <div className="sider-failed">
          <p>{t('menu.failed')}</p>
          <button type="button" onClick={() => void refetch()}>
            {t('action.retry')}
          </button>
        </div>
      ) : (
        <ul className="menu">
          {items?.map(item => (
            <Item key={item.key} item={item} active={active} open={open} onToggle={onToggle} depth={0} />
          ))}
        </ul>
      )}
    </nav>
  )
}
