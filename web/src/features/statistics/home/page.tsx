import { useQuery } from '@tanstack/react-query'
import { serverNow } from '../../../kernel/clock.ts'
import { endMinuteOf, grouped, minuteOf } from '../../../kernel/format.ts'
import { useLabel, useLang, useT } from '../../../kernel/i18n/index.ts'
import { useCall } from '../../../kernel/query.ts'
import { useSession } from '../../../kernel/session.ts'
import { yuanOf } from '../../../kernel/yuan.ts'
import { MenuIcon } from '../../../shell/icons.tsx'
import { leavesOf, roleNameOf, roleQuery, useMenu } from '../../../shell/menu.ts'
import { NavLink } from '../../../shell/nav-link.tsx'
import { noticesQuery } from '../../../shell/notices.ts'
import { EmptyState, PageSkeleton } from '../../../ui/states.tsx'
import { greetingOf } from './greeting.ts'
import { Rooms } from './rooms.tsx'
import { Setup } from './setup.tsx'
import { homeTexts } from './texts.ts'
import { daysUntil, idleOf, isOfOneExam, moneyPaths, namedPapers, nearOf, newestOf, placeOf, placeOfDeadline, type ToDo } from './to-dos.ts'
import './home.css'

const useHome = () => useCall('GET /me/home', {}, { quiet: true })

const ToDoCard = ({ toDo }: { readonly toDo: ToDo }) => {
  const t = useT(homeTexts)
  const place = placeOf(toDo)
  const shown = (
    <>
      <span className="home-count">{grouped(toDo.count)}</span>
      <span className="home-what">
        <strong>{t(`home.todo.${toDo.key}`)}</strong>
        {toDo.rooms === undefined || toDo.count === 0 ? null : (
          <span>{t('home.todo.roomsOf', { rooms: toDo.rooms, count: toDo.count })}</span>
        )}
        {toDo.examName === null ? null : (
          <span title={toDo.examName}>{isOfOneExam(toDo) ? t('home.todo.over', { exam: toDo.examName }) : toDo.examName}</span>
        )}
        {toDo.oldestTime === null ? null : (
          <span>{t(toDo.key === 'rooms' ? 'home.todo.next' : 'home.todo.since', { time: minuteOf(toDo.oldestTime) })}</span>
        )}
      </span>
    </>
  )
  return place === null ? (
    <div className="card home-todo">{shown}</div>
  ) : (
    <NavLink to={place} className="card home-todo">
      {shown}
    </NavLink>
  )
}

const ToDos = () => {
  const t = useT(homeTexts)
  const { data, isPending, isError, refetch } = useHome()
  const toDos = (data?.todos ?? []).filter(toDo => toDo.count > 0)
  // Where nothing waits the way to the own work stands here all the same.
  const shown = toDos.length > 0 ? toDos : idleOf(data?.todos ?? [])
  // Who has no work that could wait has no such part of the page.
  if (data?.todos.length === 0) return null
  return (
    <section className="home-todos" aria-busy={isPending}>
      <h2>{t('home.todo')}</h2>
      {isPending ? <PageSkeleton rows={2} /> : null}
      {isError && data === undefined ? (
        <p className="home-failed" role="alert">
          {t('home.todo.failed')}
          <button type="button" className="link-button" onClick={() => void refetch()}>
            {t('home.todo.retry')}
          </button>
        </p>
      ) : null}
      {data !== undefined && toDos.length === 0 ? <p className="home-none">{t('home.todo.none')}</p> : null}
      <ul>
        {shown.map(toDo => (
          <li key={toDo.key}>
            <ToDoCard toDo={toDo} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What came in and went back today. */
const Money = () => {
  const t = useT(homeTexts)
  const today = useHome().data?.today ?? null
  if (today === null) return null
  const paths = moneyPaths(today.since)
  return (
    <section className="home-todos">
      <h2>{t('home.money')}</h2>
      <ul>
        {(['received', 'refunded'] as const).map(key => (
          <li key={key}>
            <NavLink to={paths[key]} className="card home-todo">
              <span className="home-count">{t('home.money.yuan', { amount: yuanOf(today[key].fen) })}</span>
              <span className="home-what">
                <strong>{t(`home.money.${key}`)}</strong>
                <span>{t(`home.money.${key}.count`, { count: today[key].count })}</span>
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
  const { data } = useHome()
  const now = serverNow()
  const found = nearOf(data?.deadlines ?? [], now)
  if (found.length === 0) return null
  return (
    <section>
      <h2>{t('home.deadlines')}</h2>
      <ul className="card home-list">
        {found.map(deadline => {
          const { examId, examName, kind, paper, papers, time } = deadline
          const days = daysUntil(time, now)
          const place = placeOfDeadline(deadline)
          const what = papers > namedPapers ? t('home.papers', { paper, count: papers }) : t(`home.${kind}`, { paper })
          return (
            <li key={`${examId} ${kind} ${paper}`}>
              <span className="home-days" data-soon={days < 3}>
                {days === 0 ? t('home.today') : days === 1 ? t('home.tomorrow') : t('home.days', { count: days })}
              </span>
              <span className="home-what">
                <strong>{place === null ? what : <NavLink to={place}>{what}</NavLink>}</strong>
                <span title={examName}>{examName}</span>
              </span>
              <time>{kind.endsWith('End') ? endMinuteOf(time) : minuteOf(time)}</time>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const Messages = () => {
  const t = useT(homeTexts)
  const { data } = useQuery(noticesQuery(useLang()))
  if (data === undefined) return null
  const found = newestOf(data.tabs.flatMap(tab => tab.records))
  return (
    <section>
      <h2>{data.unreadCount > 0 ? t('home.messages.unread', { count: data.unreadCount }) : t('home.messages')}</h2>
      {found.length === 0 ? (
        <p className="card home-nothing">{t('home.messages.none')}</p>
      ) : (
        <ul className="card home-list">
          {found.map(notice => (
            <li key={notice.id} data-unread={notice.isUnread}>
              <span className="home-what">
                <strong>
                  {notice.isUnread ? <span className="home-unread">{t('home.messages.isUnread')}</span> : null}
                  {notice.link === '' ? notice.title : <NavLink to={notice.link}>{notice.title}</NavLink>}
                </strong>
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

/** What the people above the tenants have to know before all else: nothing is sent, or no backup was made. */
const Installation = () => {
  const t = useT(homeTexts)
  const installation = useHome().data?.installation ?? null
  if (installation === null) return null
  const { backupTime, isBackupOld, backupMaxHours, restoredTime } = installation
  const backup =
    backupTime === null
      ? t('home.backup.none')
      : t(isBackupOld ? 'home.backup.old' : 'home.backup', { time: minuteOf(backupTime), hours: backupMaxHours })
  return (
    <>
      {restoredTime === null ? null : (
        <p className="card home-alert" role="alert">
          {t('home.restored', { time: minuteOf(restoredTime) })}
        </p>
      )}
      {isBackupOld ? (
        <p className="card home-alert" role="alert">
          {backup}
        </p>
      ) : backupTime === null ? null : (
        <p className="home-none">{backup}</p>
      )}
    </>
  )
}

/** S2.07: today's work of this role: what waits, until when, what is unread, and the ways to all pages of the menu. */
export const Page = () => {
  const t = useT(homeTexts)
  const label = useLabel()
  const user = useSession(session => session.user)
  const { data: roles } = useQuery(roleQuery(useLang()))
  const { items } = useMenu()
  // Only who looks after sites has such work.
  const hasRooms = useHome().data?.todos.some(({ key }) => key === 'rooms') ?? false
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
      <Setup onlyOpen />
      <Installation />
      <ToDos />
      <Money />
      <Rooms isOwn={hasRooms} />
      <div className="home-pair">
        <Deadlines />
        <Messages />
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
