import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { leavesOf, useMenu } from '#web/shell/menu.ts'
import { NavLink } from '#web/shell/nav-link.tsx'
import { usePage } from '#web/shell/page-context.tsx'
import { dictTexts } from './texts.ts'
import './views.css'

const paths = ['/system/dictbiz', '/system/dict', '/dict-horizontal/index', '/dict-vertical/index']

/** The ways to look at dictionaries that somebody has in the menu; at the side stands one of them. */
export const DictViews = () => {
  const t = useT(dictTexts)
  const label = useLabel()
  const { path } = usePage()
  const leaves = leavesOf(useMenu().items ?? [])
  const views = paths.flatMap(one => leaves.find(leaf => leaf.path === one) ?? [])
  if (views.length < 2) return null
  return (
    <nav className="dict-views" aria-label={t('views')}>
      {views.map(view => (
        <NavLink key={view.key} className="button" to={view.path ?? '/'} aria-current={view.path === path ? 'page' : undefined}>
          {label(view.label)}
        </NavLink>
      ))}
    </nav>
  )
}
