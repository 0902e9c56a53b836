import { useQuery } from '@tanstack/react-query'
import { useExamRows } from '#web/resource/exams.ts'
import { serverNow } from '../../../kernel/clock.ts'
import { grouped, minuteOf } from '../../../kernel/format.ts'
import { useLabel, useLang, useT } from '../../../kernel/i18n/index.ts'
import { useCan } from '../../../kernel/permission.ts'
import { useSession } from '../../../kernel/session.ts'
import { MenuIcon } from '../../../shell/icons.tsx'
import { leavesOf, roleNameOf, roleQuery, useMenu } from '../../../shell/menu.ts'
import { NavLink } from '../../../shell/nav-link.tsx'
import { noticesQuery } from '../../../shell/notices.ts'
import { EmptyState, PageSkeleton } from '../../../ui/states.tsx'
import { deadlinesOf } from './deadlines.ts'
import { greetingOf } from './greeting.ts'
import { homeTexts } from './texts.ts'
import { useToDos, worksOnExams } from './to-dos.ts'
import './home.css'

const ToDos = () => {
  const t = useT(homeTexts)
  const label = useLabel()
  const { works, toDos, isLoading, isFailed, retry } = useToDos()
  if (!works) return null
  return (
    <section className="home-todos" aria-busy={isLoading}>
      <h2>{t('home.todo')}</h2>
      {isFailed ? (
        <p className="home-failed" role="alert">
          {t('home.todo.failed')}
          <button type="button" className="link-button" onClick={retry}>
            {t('home.todo.retry')}
          </button>
        </p>
      ) : null}
      {toDos.length === 0 && !isFailed ? (
        isLoading ? (
          <PageSkeleton rows={2} />
        ) : (
          <p className="card home-nothing">{t('home.todo.none')}</p>
        )
      ) : null}
      <ul>
        {toDos.map(toDo => (
          <li key={toDo.key}>
            <NavLink to={toDo.to} className="card home-todo">
              <span className="home-count">{grouped(toDo.count)}</span>
              <span className="home-what">
                <strong>{label(toDo.what)}</strong>
                {toDo.exam === null ? null : <span title={toDo.exam}>{toDo.exam}</span>}
                {toDo.until === null ? null : (
                  <span>{t('home.todo.deadline', { what: label(toDo.untilWhat), time: minuteOf(toDo.until) })}</span>
                )}
              </span>
            </NavLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Deadlines = () => {
  const t = useT(homeTexts)
  const can = useCan()
  const works = worksOnExams(can)
  const { data } = useExamRows(works)
  const found = deadlinesOf(data?.records ?? [], serverNow())
  if (!works || found.length === 0) return null
  return (
    <section>
      <h2>{t('home.deadlines')}</h2>
      <ul className="card home-list">
        {found.map(({ key, exam, kind, at, days }) => (
          <li key={key}>
            <span className="home-days" data-soon={days < 3}>
              {days === 0 ? t('home.today') : t('home.days', { count: days })}
            </span>
            <span className="home-what">
              <strong>{t(`home.${kind}`)}</strong>
              <span title={exam}>{exam}</span>
            </span>
            <time>{minuteOf(at)}</time>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Unread = () => {
  const t = useT(homeTexts)
  const { data } = useQuery(noticesQuery(useLang()))
  const found = (data?.tabs ?? [])
    .flatMap(tab => tab.records)
    .filter(notice => notice.readTime === null)
    .slice(0, 5)
  if (data === undefined) return null
  return (
    <section>
      <h2>{data.unreadCount > 0 ? t('home.unread.count', { count: data.unreadCount }) : t('home.unread')}</h2>
      {found.length === 0 ? (
        <p className="card home-nothing">{t('home.unread.none')}</p>
      ) : (
        <ul className="card home-list">
          {found.map(notice => (
            <li key={notice.id}>
              <span className="home-what">
                <strong>{notice.link === '' ? notice.title : <NavLink to={notice.link}>{notice.title}</NavLink>}</strong>
                <span title={notice.content}>{notice.content}</span>
              </span>
              <time>{minuteOf(notice.createTime)}</time>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** S2.07: today's work of this role: what waits, until when, what is unread, and the ways to all pages of the menu. */
export const Page = () => {
  const t = useT(homeTexts)
  const label = useLabel()
  const user = useSession(session => session.user)
  const { data: roles } = useQuery(roleQuery(useLang()))
  const { items } = useMenu()
  const role = roleNameOf(roles, user?.roles ?? [])
  if (items === null) return <PageSkeleton />
  const groups = items
    .map(item => ({ item, leaves: leavesOf([item]).filter(leaf => leaf.path !== '/wel/index') }))
    .filter(group => group.leaves.length > 0)
  return (
    <div className="staff-home">
      <div>
        <h1>{t(`home.${greetingOf(serverNow())}`, { name: user?.nickName ?? '' })}</h1>
        {role === null ? null : <p>{t('home.role', { role })}</p>}
      </div>
      <ToDos />
      <div className="home-pair">
        <Deadlines />
        <Unread />
      </div>
      <section className="home-shortcuts">
        <h2>{t('home.shortcuts')}</h2>
        {groups.length === 0 ? <EmptyState text={t('home.empty')} /> : null}
        <div className="home-grid">
          {groups.map(({ item, leaves }) => (
            <section key={item.key} className="card home-card">
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
      </section>
    </div>
  )
}
