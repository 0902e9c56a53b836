import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { toWireTime } from '#contract/kernel/when.ts'
import { markKinds, type PackPerson, readTicketCode } from '#contract/ticket/exam-day.ts'
import { api } from '#web/kernel/api.ts'
import { loadChunk } from '#web/kernel/chunk.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useSession } from '#web/kernel/session.ts'
import { clearPractice, markPeople, marksOf, stateOf, useDay } from './day.ts'
import { placesByServer } from './elsewhere.ts'
import { findIn, isMeant, type Place, type Seated, seatedIn } from './find.ts'
import type { KeptMark } from './kept.ts'
import { Places } from './places.tsx'
import { practiceKey } from './practice.ts'
import { Sheet } from './sheet.tsx'
import { doorClosesAt, hasBegun, isEarly, type OpenRoom } from './sittings.ts'
import { siteTexts } from './texts.ts'

const Scanner = lazy(async () => ({ default: (await loadChunk(() => import('./scan.tsx'))).Scanner }))
const ViolationForm = lazy(async () => ({ default: (await loadChunk(() => import('./violation.tsx'))).ViolationForm }))

const { none, present, late, absent, note: noteKind } = markKinds
const tones = ['open', 'present', 'late', 'absent'] as const
type State = 0 | 1 | 2 | 3
const stateIn = (marks: readonly KeptMark[], person: PackPerson): State => stateOf(marks, person.ticketId) as State
const grouped = (ticketNo: string) => ticketNo.replace(/(.{4})(?=.)/g, '$1 ')

const tickMs = 5_000
/** The server's time, as the page goes on. */
const useNow = (): number => {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** What the time is, and until when late arrivals are let in. */
const DoorTime = ({ packs }: { readonly packs: readonly OpenRoom['pack'][] }) => {
  const t = useT(siteTexts)
  const now = useNow()
  const [pack] = packs
  if (pack === undefined) return null
  const closes = [...new Set(packs.map(doorClosesAt))]
  const start = pack.startTime.slice(11, 16)
  const doors = closes.length === 1 && closes[0] === start ? t('door.none') : t('door.until', { time: closes.join(' / ') })
  return (
    <p>
      <b>{t('now', { time: toWireTime(new Date(now)).slice(11, 16) })}</b> · {t('starts', { time: start })} · {doors}
    </p>
  )
}

const isHelped = (person: PackPerson): boolean => (person.help ?? []).length > 0
/** What was granted to the person: the invigilator gives it. */
const HelpWords = ({ person }: { readonly person: PackPerson }) => {
  const t = useT(siteTexts)
  const words = (['time', 'print', 'helper', 'room'] as const)
    .filter(kind => person.help?.includes(kind))
    .map(kind => (kind === 'time' ? t('help.time', { minutes: person.extraMinutes ?? 0 }) : t(`help.${kind}`)))
  return <b>{words.join(' · ')}</b>
}

const StateTag = ({ state }: { readonly state: State }) => {
  const t = useT(siteTexts)
  return <span className={`d-tag is-${tones[state]}`}>{t(`state.${state}`)}</span>
}

interface PersonProps {
  readonly room: OpenRoom
  readonly person: PackPerson
  /** A note that was typed and not saved when the sheet was closed. */
  readonly draft: string
  readonly onDraft: (note: string) => void
  readonly onClose: () => void
}
const PersonSheet = ({ room, person, draft, onDraft, onClose }: PersonProps) => {
  const t = useT(siteTexts)
  const id = useId()
  const [note, setNoteShown] = useState(draft)
  const setNote = (text: string) => {
    setNoteShown(text)
    onDraft(text)
  }
  const [isFiling, setFiling] = useState(false)
  const marks = marksOf(
    useDay(day => day.marks),
    person.ticketId,
  )
  const forms = useDay(day => day.forms).filter(one => one.fields['ticketId'] === person.ticketId)
  const state = stateIn(marks, person)
  // Taken along before its day: the server takes no mark of it yet.
  const now = useNow()
  const early = isEarly(room.pack, now)
  const isBefore = !hasBegun(room.pack, now)
  // What was typed beside belongs to the mark: whoever taps it does not think of a second button.
  const mark = async (kind: number) => {
    await markPeople(room.key, [person.ticketId], kind, note.trim())
    setNote('')
    if (kind !== none) onClose()
  }
  const notes = marks.filter(one => one.kind === noteKind)
  const counting = marks.filter(one => one.kind !== noteKind && !marks.some(other => other.replaces.includes(one.markId)))
  if (isFiling)
    return (
      <Sheet title={t('v.title', { name: person.name })} onClose={onClose}>
        <Suspense>
          <ViolationForm room={room.key} pack={room.pack} person={person} onDone={() => setFiling(false)} />
        </Suspense>
        <button type="button" className="d-button" onClick={() => setFiling(false)}>
          {t('cancel')}
        </button>
      </Sheet>
    )
  return (
    <Sheet title={person.name} onClose={onClose}>
      <div className="d-person">
        {person.photo === '' ? (
          <p className="d-nophoto">{t('noPhoto')}</p>
        ) : (
          <img src={`data:image/jpeg;base64,${person.photo}`} alt={t('photoOf', { name: person.name })} width={148} height={207} />
        )}
        <dl>
          <dt>{t('paper')}</dt>
          <dd>{room.pack.itemName}</dd>
          <dt>{t('seat', { seat: person.seatNo })}</dt>
          <dd>
            <StateTag state={state} />
          </dd>
          <dt>{t('idCard')}</dt>
          <dd>{person.idCardMask}</dd>
          <dt>{t('ticketNo')}</dt>
          <dd>{grouped(person.ticketNo)}</dd>
          {isHelped(person) && (
            <>
              <dt>{t('help')}</dt>
              <dd>
                <HelpWords person={person} />
              </dd>
            </>
          )}
        </dl>
      </div>
      {counting.length > 1 && <p className="d-small">{t('conflict')}</p>}
      {early && <p>{t('early', { day: room.pack.startTime.slice(0, 10) })}</p>}
      <div className="d-marks">
        {([present, late, absent] as const).map(kind => (
          <button
            key={kind}
            type="button"
            className={`d-button is-${tones[kind]}`}
            aria-pressed={state === kind}
            disabled={early || (isBefore && kind !== present)}
            onClick={() => void mark(kind)}
          >
            {t(`mark.${kind}`)}
          </button>
        ))}
      </div>
      {isBefore && !early && <p className="d-small">{t('notBegun', { time: room.pack.startTime.slice(11, 16) })}</p>}
      {state !== none && (
        <button type="button" className="d-button" onClick={() => void mark(none)}>
          {t('mark.0')}
        </button>
      )}
      <label htmlFor={`${id}-note`}>{t('note')}</label>
      {notes.map(one => (
        <p key={one.markId} className="d-small">
          {one.note}
        </p>
      ))}
      <div className="d-row">
        <input id={`${id}-note`} maxLength={200} value={note} onChange={event => setNote(event.target.value)} />
        <button
          type="button"
          className="d-button"
          disabled={early || note.trim() === ''}
          onClick={() => void markPeople(room.key, [person.ticketId], noteKind, note.trim()).then(() => setNote(''))}
        >
          {t('noteAdd')}
        </button>
      </div>
      {forms.length > 0 && (
        <>
          <h3>{t('violations')}</h3>
          {forms.map(one => (
            <p key={one.violationId} className="d-small">
              {one.fields['facts']} · {one.problem ?? t(one.isSent ? 'v.sent' : room.key === practiceKey ? 'practice.kept' : 'waiting')}
            </p>
          ))}
        </>
      )}
      <div className="d-row">
        <button type="button" className="d-button" disabled={early} onClick={() => setFiling(true)}>
          {t('violation')}
        </button>
        <button type="button" className="d-button" onClick={onClose}>
          {t('close')}
        </button>
      </div>
    </Sheet>
  )
}

type Filter = 'all' | 'none' | 'present' | 'late' | 'absent'
const filters: readonly Filter[] = ['all', 'none', 'present', 'late', 'absent']
const kindOf: Readonly<Record<Exclude<Filter, 'all'>, State>> = { none: 0, present: 1, late: 2, absent: 3 }

/** Marks people of one room in each of its papers. */
const markAll = async (byRoom: readonly (readonly [string, readonly Seated[]])[], kind: number): Promise<void> => {
  for (const [key, all] of byRoom)
    await markPeople(
      key,
      all.map(({ person }) => person.ticketId),
      kind,
    )
}

/** One room at one time, whatever papers are written in it: who has come, by scan, name, seat or number. */
export const RoomPage = ({
  rooms,
  others,
  ticketId,
}: {
  readonly rooms: readonly OpenRoom[]
  /** The other rooms on this device. */
  readonly others: readonly OpenRoom[]
  /** Whom the address names. */
  readonly ticketId: string | undefined
}) => {
  const t = useT(siteTexts)
  const id = useId()
  const marks = useDay(day => day.marks)
  const [filter, setFilter] = useState<Filter>('all')
  const [isScanning, setScanning] = useState(false)
  const people = seatedIn(rooms)
  const [chosen, setChosen] = useState<Seated | null>(() => people.find(one => one.person.ticketId === ticketId) ?? null)
  const drafts = useRef(new Map<string, string>())
  const now = useNow()
  const [typed, setTyped] = useState('')
  const [said, setSaid] = useState('')
  const [places, setPlaces] = useState<readonly Place[]>([])
  const [isAsking, setAsking] = useState(false)
  const isPractice = rooms[0]?.key === practiceKey
  const packs = rooms.map(room => room.pack)
  const [pack] = packs
  const states = new Map(people.map(({ person }) => [person.ticketId, stateIn(marks, person)]))
  const stateOf = ({ person }: Seated): State => states.get(person.ticketId) ?? none
  const count = (state: State) => people.filter(one => stateOf(one) === state).length
  const open = people.filter(one => stateOf(one) === none)
  /** A ticket that is not of this room: the server knows whose it is. */
  const askServer = async (code: string) => {
    try {
      const tenant = useSession.getState().user?.tenantId ?? ''
      const found = await api.request<{
        valid: boolean
        reason: string | null
        name: string
        items: readonly { siteName: string; roomNo: string; seatNo: string }[]
      }>({ method: 'GET', path: `/t/${tenant}-${code}`, quiet: true })
      const [place] = found.items
      setSaid(
        found.valid && place
          ? t('elsewhere', { name: found.name, site: place.siteName, room: place.roomNo, seat: place.seatNo })
          : t('invalid', { reason: found.reason ?? '' }),
      )
    } catch {
      // No network, or nobody's ticket: that it is not of this room is said already.
    }
  }
  const look = (text: string) => {
    setScanning(false)
    const meant = readTicketCode(text)
    const exact =
      meant &&
      people.find(({ person }) => ('code' in meant ? person.code === meant.code : person.ticketNo.toUpperCase() === meant.ticketNo))
    const named = meant && 'code' in meant ? [] : people.filter(one => isMeant(one, text))
    const found = exact ?? (named.length === 1 ? named[0] : undefined)
    setSaid('')
    setPlaces([])
    if (found) {
      setChosen(found)
      setTyped('')
    } else if (named.length > 1) setSaid(t('several', { count: named.length }))
    else if (meant && 'code' in meant) {
      if (packs.some(one => one.voidCodes.includes(meant.code))) setSaid(t('void'))
      else {
        setSaid(t('notHere'))
        const beside = findIn(others, text)
        setPlaces(beside)
        if (!isPractice && beside.length === 0) void askServer(meant.code)
      }
    } else {
      const beside = findIn(others, text)
      setPlaces(beside)
      setSaid(beside.length > 0 ? t('otherRoom', { text }) : t('unknown', { text }))
      // What this device does not keep the server may know.
      if (!isPractice && beside.length === 0)
        void placesByServer(packs, text).then(found => {
          if (found.length === 0) return
          setPlaces(found)
          setSaid(t('otherRoom', { text }))
        })
    }
  }
  const shown = people.filter(one => (filter === 'all' || stateOf(one) === kindOf[filter]) && isMeant(one, typed))
  if (pack === undefined) return null
  const isOpen = hasBegun(pack, now)
  const papers = [...new Set(packs.map(one => one.itemName))]
  const end = packs.map(one => one.endTime).reduce((a, b) => (a > b ? a : b))
  return (
    <main>
      <p>
        <a href="/site#rooms">‹ {t('back')}</a>
      </p>
      <h1>
        {t('room', { room: pack.roomNo })} {pack.roomName}
      </h1>
      <p className="d-small">
        {pack.siteName} · {papers.join(t('between'))}
        {!isPractice && ` · ${pack.startTime.slice(5, 16)}–${end.slice(11, 16)}`}
      </p>
      {!isPractice && <DoorTime packs={packs} />}
      {isPractice && (
        <div className="d-card">
          <p>
            <b>{t('practice.says')}</b>
          </p>
          <p>{t('practice.try')}</p>
          <button type="button" className="d-button" onClick={() => void clearPractice()}>
            {t('practice.clear')}
          </button>
        </div>
      )}
      <p className="d-counts" role="status">
        <span>{t('count.present', { count: count(1) })}</span> <span>{t('count.late', { count: count(2) })}</span>{' '}
        <span>{t('count.absent', { count: count(3) })}</span> <span>{t('count.none', { count: count(0) })}</span>
      </p>
      {isScanning ? (
        <Suspense>
          <Scanner
            onCode={look}
            onClose={() => setScanning(false)}
            onBlind={() => {
              setScanning(false)
              setSaid(t('scanNoCamera'))
            }}
          />
        </Suspense>
      ) : (
        <button type="button" className="d-button is-main" onClick={() => setScanning(true)}>
          {t('scan')}
        </button>
      )}
      <form
        className="d-find"
        onSubmit={event => {
          event.preventDefault()
          if (typed.trim() !== '') look(typed.trim())
        }}
      >
        <label htmlFor={`${id}-find`}>{t('find')}</label>
        <div className="d-row">
          <input
            id={`${id}-find`}
            type="search"
            autoComplete="off"
            value={typed}
            onChange={event => {
              setTyped(event.target.value)
              setSaid('')
              setPlaces([])
            }}
          />
          <button type="submit" className="d-button">
            {t('findGo')}
          </button>
        </div>
      </form>
      <p className="d-problem" role="alert" hidden={said === ''}>
        {said}
      </p>
      <Places of={places} />
      <fieldset className="d-filter">
        <legend>{t('filter')}</legend>
        {filters.map(one => (
          <button key={one} type="button" className="d-chip" aria-pressed={filter === one} onClick={() => setFilter(one)}>
            {t(`filter.${one}`)}
          </button>
        ))}
      </fieldset>
      <ul className="d-list">
        {shown.map(({ room, person }) => (
          <li key={person.ticketId}>
            <button type="button" className="d-line" onClick={() => setChosen({ room, person })}>
              <b>{t('seatShort', { seat: person.seatNo })}</b>
              <span>
                {person.name}
                <small>{grouped(person.ticketNo)}</small>
                {papers.length > 1 && <small>{room.pack.itemName}</small>}
                {isHelped(person) && (
                  <small>
                    <HelpWords person={person} />
                  </small>
                )}
              </span>
              <StateTag state={states.get(person.ticketId) ?? none} />
            </button>
          </li>
        ))}
      </ul>
      {open.length > 0 && (
        <p>
          <button type="button" className="d-button" disabled={!isOpen} onClick={() => setAsking(true)}>
            {t('allAbsent', { count: open.length })}
          </button>
          {!isOpen && <small className="d-why">{t('allAbsentTooEarly')}</small>}
        </p>
      )}
      {!isPractice && <p className="d-small">{t('until', { time: '24:00' })}</p>}
      {isAsking && (
        <Sheet title={t('allAbsent', { count: open.length })} onClose={() => setAsking(false)}>
          <p>{t('allAbsentAsk', { count: open.length })}</p>
          <div className="d-row">
            <button
              type="button"
              className="d-button is-main"
              onClick={() => void markAll([...Map.groupBy(open, one => one.room.key)], absent).then(() => setAsking(false))}
            >
              {t('yes')}
            </button>
            <button type="button" className="d-button" onClick={() => setAsking(false)}>
              {t('cancel')}
            </button>
          </div>
        </Sheet>
      )}
      {chosen !== null && (
        <PersonSheet
          key={chosen.person.ticketId}
          room={chosen.room}
          person={chosen.person}
          draft={drafts.current.get(chosen.person.ticketId) ?? ''}
          onDraft={note => void drafts.current.set(chosen.person.ticketId, note)}
          onClose={() => setChosen(null)}
        />
      )}
    </main>
  )
}
