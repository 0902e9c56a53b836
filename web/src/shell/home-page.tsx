import { useQuery } from '@tanstack/react-query'
import { useLabel, useT } from '../kernel/i18n/index.ts'
import { useSession } from '../kernel/session.ts'
import { EmptyState, PageSkeleton } from '../ui/states.tsx'
import { MenuIcon } from './icons.tsx'
import { leavesOf, roleNameOf, roleQuery, useMenu } from './menu.ts'
import { NavLink } from './nav-link.tsx'
import { shellTexts } from './texts.ts'
import './home.css'

/** S2.07: who is here, and the ways to all pages of the menu. */
export const Page = () => {
  const t = useT(shellTexts)
  const label = useLabel()
  const user = useSession(session => session.user)
  const { data: roles } = useQuery(roleQuery)
  const { items } = useMenu()
  const role = roleNameOf(roles, user?.roles ?? [])
  const groups = (items ?? [])
    .map(item => ({ item, leaves: leavesOf([item]).filter(leaf => leaf.path !== '/wel/index') }))
    .filter(group => group.leaves.length > 0)
  if (items === null) return <PageSkeleton />
  return (
    <div className="home">
      <div className="home-hello">
        <h1>{t('home.hello', { name: user?.nickName ?? '' })}</h1>
        {role === null ? null : <p>{t('home.role', { role })}</p>}
      </div>
      <h2 className="visually-hidden">{t('home.shortcuts')}</h2>
      {groups.length === 0 ? <EmptyState text={t('home.empty')} /> : null}
      <div className="home-groups">
        {groups.map(({ item, leaves }) => (
          <section key={item.key} className="card home-group">
            <h3>
              <MenuIcon code={item.code} path={leaves[0]?.path ?? null} />
              {label(item.label)}
            </h3>
            <ul>
              {leaves.map(leaf => (
                <li key={leaf.key}>
                  {leaf.newWindow ? (
                    <a href={leaf.href ?? leaf.path ?? '/'} target="_blank" rel="noreferrer">
                      {label(leaf.label)}
                    </a>
                  ) : (
                    <NavLink to={leaf.path ?? '/'}>{label(leaf.label)}</NavLink>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}
