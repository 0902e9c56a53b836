import { useEffect, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from '#web/kernel/boundary.tsx'
import { useT } from '#web/kernel/i18n/index.ts'
import { useSession } from '#web/kernel/session.ts'
import { type DayRoom, keepInTouch, roomKey, startDay, takeRoom, useDay } from './day.ts'
import { RoomPage } from './room.tsx'
import style from './site.css?inline'
import { siteTexts } from './texts.ts'

/** The room that is open stands behind the `#` of the address, so the phone's own way back leads to the list. */
const useAddress = (): string =>
  useSyncExternalStore(
    tell => {
      addEventListener('hashchange', tell)
      return () => removeEventListener('hashchange', tell)
    },
    () => location.hash.slice(1),
  )

const NetworkBar = () => {
  const t = useT(siteTexts)
  const me = useSession(session => session.user?.userId)
  const isOnline = useDay(day => day.isOnline)
  const marks = useDay(day => day.marks)
  const forms = useDay(day => day.forms)
  const own = [...marks, ...forms].filter(one => one.userId === me)
  const waiting = own.filter(one => !one.isSent && one.problem === undefined).length
  const refused = own.filter(one => one.problem !== undefined)
  return (
    <>
      <p className={`d-net ${isOnline ? 'is-online' : 'is-offline'}`} role="status">
        <span>{t(isOnline ? 'online' : 'offline')}</span>
        {waiting > 0 && <span>{t('unsent', { count: waiting })}</span>}
        {refused.length > 0 && <span>{t('refused', { count: refused.length })}</span>}
      </p>
      {[...new Set(refused.map(one => one.problem))].map(problem => (
        <p key={problem} className="d-problem">
          {problem}
        </p>
      ))}
    </>
  )
}

const RoomCard = ({ room, isKept }: { readonly room: DayRoom; readonly isKept: boolean }) => {
  const t = useT(siteTexts)
  const [state, setState] = useState<'idle' | 'taking'>('idle')
  const [problem, setProblem] = useState<string | null>(null)
  const open = async () => {
    setState('taking')
    const why = isKept ? null : await takeRoom(roomKey(room))
    setState('idle')
    if (why === null) location.hash = roomKey(room)
    else setProblem(why === 'offline' ? t('failOffline') : why === 'forged' ? t('failForged') : why)
  }
  return (
    <li className="d-card">
      <h2>
        {t('room', { room: room.roomNo })} {room.roomName}
      </h2>
      <p>
        {room.siteName} · {room.itemName}
      </p>
      <p className="d-small">
        {room.startTime.slice(11, 16)}–{room.endTime.slice(11, 16)} · {t('seated', { count: room.seated })} ·{' '}
        {t('count.present', { count: room.present })} · {t('count.late', { count: room.late })} ·{' '}
        {t('count.absent', { count: room.absent })}
      </p>
      {problem !== null && (
        <p className="d-problem" role="alert">
          {problem}
        </p>
      )}
      <button type="button" className="d-button is-main" disabled={state === 'taking'} onClick={() => void open()}>
        {state === 'taking' ? t('taking') : t(isKept ? 'open' : 'take')}
      </button>
      {isKept && <p className="d-small">{t('kept')}</p>}
    </li>
  )
}

const RoomsPage = () => {
  const t = useT(siteTexts)
  const { rooms, kept, isOnline, problem } = useDay()
  const known = new Set(kept.map(one => one.key))
  // Without a network the list is what this device keeps.
  const listed = new Set(rooms.map(roomKey))
  const alone = kept.filter(one => !listed.has(one.key))
  return (
    <main>
      <h1>{t('rooms')}</h1>
      {problem !== '' && (
        <p className="d-problem" role="alert">
          {problem}
        </p>
      )}
      {rooms.length + alone.length === 0 && <p>{t(isOnline ? 'noRooms' : 'noRoomsOffline')}</p>}
      <ul className="d-cards">
        {rooms.map(room => (
          <RoomCard key={roomKey(room)} room={room} isKept={known.has(roomKey(room))} />
        ))}
        {alone.map(({ key, pack }) => (
          <li key={key} className="d-card">
            <h2>
              {t('room', { room: pack.roomNo })} {pack.roomName}
            </h2>
            <p>
              {pack.siteName} · {pack.itemName}
            </p>
            <p>
              <a className="d-button is-main" href={`#${key}`}>
                {t('open')}
              </a>
            </p>
            <p className="d-small">{t('kept')}</p>
          </li>
        ))}
      </ul>
      <p>
        <a href="/">{t('toConsole')}</a>
      </p>
    </main>
  )
}

const Site = () => {
  const t = useT(siteTexts)
  const address = useAddress()
  const isReady = useDay(day => day.isReady)
  const room = useDay(day => day.kept).find(one => one.key === address)
  const title = t('title')
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    let stop: (() => void) | undefined
    let isOver = false
    void startDay().then(() => {
      if (!isOver) stop = keepInTouch()
    })
    return () => {
      isOver = true
      stop?.()
    }
  }, [])
  return (
    <div className="day">
      <header>
        <b>{title}</b>
        <NetworkBar />
      </header>
      {!isReady ? null : room ? <RoomPage key={room.key} room={room} /> : <RoomsPage />}
    </div>
  )
}

/** The worker that opens this program without a network, for its own addresses only. */
const startWorker = (): void => {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  navigator.serviceWorker.register('/sw-site.js', { scope: '/site', updateViaCache: 'none' }).catch(() => {
    // Without it the page still works as long as it stays open.
  })
}

const Failed = ({ onRetry }: { readonly onRetry: () => void }) => {
  const t = useT()
  return (
    <main>
      <p role="alert">{t('error.load')}</p>
      <button type="button" className="d-button" onClick={onRetry}>
        {t('action.retry')}
      </button>
    </main>
  )
}

/** Draws the pages of the day of the examination; the boot script calls it. */
export const mount = (root: HTMLElement): (() => void) => {
  startWorker()
  const sheet = document.createElement('style')
  // With the program, so that the start of every other one need not name a file of styles.
  sheet.textContent = style
  document.head.append(sheet)
  const drawn = createRoot(root)
  drawn.render(
    <ErrorBoundary resetKey="site" fallback={retry => <Failed onRetry={retry} />}>
      <Site />
    </ErrorBoundary>,
  )
  return () => {
    drawn.unmount()
    sheet.remove()
  }
}
