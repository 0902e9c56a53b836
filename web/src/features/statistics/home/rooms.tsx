import { useT } from '../../../kernel/i18n/index.ts'
import { useCall } from '../../../kernel/query.ts'
import { placeOfRoom, roomsByDay } from './room-days.ts'
import { homeTexts } from './texts.ts'

/** Where whoever looks after a site has to be: their rooms of today, and those of the next day that has some. */
export const Rooms = ({ isOwn }: { readonly isOwn: boolean }) => {
  const t = useT(homeTexts)
  const today = useCall('GET /blade-ticket/day/rooms', {}, { quiet: true, enabled: isOwn })
  const next = useCall('GET /blade-ticket/day/rooms', { next: 1 }, { quiet: true, enabled: isOwn })
  const days = [
    ...roomsByDay(today.data ?? []).map(day => ({ ...day, isToday: true })),
    ...roomsByDay(next.data ?? []).map(day => ({ ...day, isToday: false })),
  ]
  if (!isOwn) return null
  return (
    <section>
      <h2>{t('home.rooms')}</h2>
      {days.length === 0 && today.isSuccess && next.isSuccess ? <p>{t('home.rooms.none')}</p> : null}
      {days.map(({ day, isToday, rooms }) => (
        <section key={day} className="home-day">
          <h3>{isToday ? t('home.rooms.today', { day }) : t('home.rooms.next', { day })}</h3>
          <ul className="card home-list">
            {rooms.map(({ key, roomNo, roomName, siteName, papers, begin, end, seated }) => (
              <li key={key}>
                <span className="home-what">
                  <strong>
                    <a href={placeOfRoom(key)}>
                      {t('home.rooms.room', { room: roomNo })} {roomName}
                    </a>
                  </strong>
                  <span>
                    {siteName} · {papers.join(t('home.rooms.between'))} · {t('home.rooms.people', { count: seated })}
                  </span>
                </span>
                <time>
                  {begin}–{end}
                </time>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p>
        <a href="/site">{t('home.rooms.open')}</a>
      </p>
    </section>
  )
}
