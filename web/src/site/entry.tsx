import { useEffect, useId, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { sittingKey } from '#contract/ticket/exam-day.ts'
import { ErrorBoundary } from '#web/kernel/boundary.tsx'
import { serverNow } from '#web/kernel/clock.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useSession } from '#web/kernel/session.ts'
import { isWaiting, keepInTouch, startDay, takeSitting, useDay } from './day.ts'
import { findIn } from './find.ts'
import { Places } from './places.tsx'
import { practiceBeside, practiceKey, practiceRoom } from './practice.ts'
import { RoomPage } from './room.tsx'
import style from './site.css?inline'
import { daysOf, isDayBefore, type OpenRoom, type Sitting } from './sittings.ts'
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
  const waiting = own.filter(isWaiting).length
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

const useWhy = () => {
  const t = useT(siteTexts)
  return (why: string): string => (why === 'offline' ? t('failOffline') : why === 'forged' ? t('failForged') : why)
}

const SittingText = ({ of }: { readonly of: Sitting }) => {
  const t = useT(siteTexts)
  return (
    <>
      <h2>
        {t('room', { room: of.roomNo })} {of.roomName}
      </h2>
      <p>
        {of.siteName} · {of.papers.join(t('between'))}
      </p>
      <p className="d-small">
        {of.startTime.slice(11, 16)}–{of.endTime.slice(11, 16)}
        {of.counts !== null && (
          <>
            {' '}
            · {t('seated', { count: of.counts.seated })} · {t('count.present', { count: of.counts.present })} ·{' '}
            {t('count.late', { count: of.counts.late })} · {t('count.absent', { count: of.counts.absent })}
          </>
        )}
      </p>
    </>
  )
}

const SittingCard = ({ sitting }: { readonly sitting: Sitting }) => {
  const t = useT(siteTexts)
  const whyOf = useWhy()
  const [isTaking, setTaking] = useState(false)
  const [problem, setProblem] = useSaid<string | null>(null)
  const isLocked = sitting.isClosed && !sitting.isKept
  const open = async () => {
    setTaking(true)
    const why = sitting.isKept ? null : await takeSitting(sitting)
    setTaking(false)
    if (why === null) location.hash = sitting.key
    else setProblem(whyOf(why))
  }
  return (
    <li className="d-card">
      <SittingText of={sitting} />
      {problem !== null && (
        <p className="d-problem" role="alert">
          {problem}
        </p>
      )}
      {isLocked ? (
        <p className="d-small">{t('closed')}</p>
      ) : (
        <button type="button" className="d-button is-main" disabled={isTaking} onClick={() => void open()}>
          {isTaking ? t('taking') : t(sitting.isKept ? 'open' : 'take')}
        </button>
      )}
      {sitting.isKept && <p className="d-small">{t('kept')}</p>}
    </li>
  )
}

/** Every room at once, before whoever has the network goes to where there is none. One that cannot be had keeps no other from being kept. */
const TakeAll = ({ sittings }: { readonly sittings: readonly Sitting[] }) => {
  const t = useT(siteTexts)
  const whyOf = useWhy()
  const [isTaking, setTaking] = useState(false)
  const [said, setSaid] = useState<{ readonly kept: number; readonly failed: readonly string[] } | null>(null)
  const open = sittings.filter(one => !one.isKept && !one.isClosed)
  if (sittings.length < 2 || (open.length === 0 && said === null)) return null
  const takeAll = async () => {
    setTaking(true)
    const failed: string[] = []
    for (const sitting of open) {
      const why = await takeSitting(sitting)
      if (why !== null) failed.push(t('takeFailed', { room: sitting.roomNo, why: whyOf(why) }))
    }
    setSaid({ kept: open.length - failed.length, failed })
    setTaking(false)
  }
  return (
    <>
      {open.length > 0 && (
        <p>
          <button type="button" className="d-button" disabled={isTaking} onClick={() => void takeAll()}>
            {isTaking ? t('taking') : t('takeAll', { count: open.length })}
          </button>
        </p>
      )}
      {said !== null && <p role="status">{t('takenAll', { kept: said.kept, all: said.kept + said.failed.length })}</p>}
      {said !== null && said.failed.length > 0 && (
        <div className="d-problem" role="alert">
          {said.failed.map(one => (
            <p key={one}>{one}</p>
          ))}
        </div>
      )}
    </>
  )
}

/** Somebody who stands at the wrong door, looked for in every room of this device. */
const FindAll = ({ kept }: { readonly kept: readonly OpenRoom[] }) => {
  const t = useT(siteTexts)
  const id = useId()
  const [typed, setTyped] = useState('')
  const places = findIn(kept, typed)
  if (kept.length === 0) return null
  return (
    <search>
      <label htmlFor={id}>{t('findAll')}</label>
      <input id={id} type="search" autoComplete="off" value={typed} onChange={event => setTyped(event.target.value)} />
      <p className="d-small" role="status">
        {typed.trim().length > 1 && t(places.length === 0 ? 'findAll.none' : 'findAll.some', { count: places.length })}
      </p>
      <Places of={places} />
    </search>
  )
}

const RoomsPage = () => {
  const t = useT(siteTexts)
  const { rooms, coming, kept, isOnline, problem } = useDay()
  const now = serverNow()
  const { today: sittings, next } = daysOf({ rooms, coming, kept }, now)
  return (
    <main>
      <h1>{t('rooms')}</h1>
      {problem !== '' && (
        <p className="d-problem" role="alert">
          {problem}
        </p>
      )}
      {sittings.length === 0 && <p>{t(next.length > 0 ? 'noRooms' : isOnline ? 'noRoomsYet' : 'noRoomsOffline')}</p>}
      <FindAll kept={kept} />
      {isOnline && <TakeAll sittings={sittings} />}
      <ul className="d-cards">
        {sittings.map(sitting => (
          <SittingCard key={sitting.key} sitting={sitting} />
        ))}
      </ul>
      {next[0] !== undefined && (
        <>
          <h2>{t('coming', { day: next[0].startTime.slice(0, 10) })}</h2>
          <p className="d-small">{t('comingHint')}</p>
          <ul className="d-cards">
            {next.map(sitting =>
              sitting.isKept || isDayBefore(sitting, now) ? (
                <SittingCard key={sitting.key} sitting={sitting} />
              ) : (
                <li key={sitting.key} className="d-card">
                  <SittingText of={sitting} />
                </li>
              ),
            )}
          </ul>
        </>
      )}
      <section className="d-card">
        <h2>{t('practice')}</h2>
        <p>{t('practice.hint')}</p>
        <a className="d-button" href={`/site#${practiceKey}`}>
          {t('practice.open')}
        </a>
      </section>
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
  const kept = useDay(day => day.kept)
  const words = {
    ...{ site: t('practice.site'), paper: t('practice.paper'), clause: t('practice.clause') },
    person: (seat: string) => t('practice.person', { seat }),
  }
  // A room, and in it somebody who was looked for.
  const [key = '', ticketId] = address.split('/')
  const isHere = (one: OpenRoom) => sittingKey(one.pack) === key
  const rooms = key === practiceKey ? [practiceRoom(words)] : kept.filter(isHere)
  const others = key === practiceKey ? [practiceBeside(words)] : kept.filter(one => !isHere(one))
  const title = t('title')
  useEffect(() => {
    document.title = title
  }, [title])
  // A room begins with its name and what it says of itself, however far down the list it was opened.
  useLayoutEffect(() => {
    if (address !== '') scrollTo(0, 0)
  }, [address])
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
      {!isReady ? null : rooms.length > 0 ? <RoomPage key={address} rooms={rooms} others={others} ticketId={ticketId} /> : <RoomsPage />}
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
