import { useEffect, useRef } from 'react'
import { useLabel, useT } from '../kernel/i18n/index.ts'
import { askToLeave } from '../ui/dialog.tsx'
import { Icon, iconPaths } from '../ui/icon.tsx'
import { goTo, tabHasChanges } from './go.ts'
import { NavLink } from './nav-link.tsx'
import { closeTab, useTabs } from './tabs.ts'
import { shellTexts } from './texts.ts'

/** One link per open page; the last one cannot be closed (S2.25). */
export const TagTabs = () => {
  const t = useT(shellTexts)
  const label = useLabel()
  const { tabs, active } = useTabs()
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shown tab changes with the active one
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])
  const close = async (path: string) => {
    if (tabHasChanges(path) && !(await askToLeave())) return
    const next = closeTab(path)
    if (next !== null) goTo(next.path + next.search)
  }
  return (
    <nav className="tag-tabs" aria-label={t('tabs.label')}>
      <ul ref={list}>
        {tabs.map(tab => (
          <li key={tab.path} className="tag-tab" data-active={tab.path === active}>
            <NavLink to={tab.path + tab.search} aria-current={tab.path === active ? 'page' : undefined}>
              {label(tab.title)}
            </NavLink>
            {tabs.length > 1 ? (
              <button type="button" aria-label={t('tabs.close', { title: label(tab.title) })} onClick={() => void close(tab.path)}>
                <Icon d={iconPaths.close} size={12} />
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </nav>
  )
}
