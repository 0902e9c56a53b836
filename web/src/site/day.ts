import { create } from 'zustand'
import { attendanceOf, countingMark, type DayMark, markKinds, type RoomPack } from '#contract/ticket/exam-day.ts'
import { api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useSession } from '#web/kernel/session.ts'
import { keepClock, restoreClock } from './clock.ts'
import { drop, isGenuine, type KeptForm, type KeptMark, type KeptPack, keep, readAll } from './kept.ts'
import { practiceKey } from './practice.ts'
import type { DayRoom, OpenRoom, Sitting } from './sittings.ts'

interface Day {
  readonly isReady: boolean
  /** The last call was answered. */
  readonly isOnline: boolean
  readonly rooms: readonly DayRoom[]
  /** Those of the next day that has some. */
  readonly coming: readonly DayRoom[]
  /** Why the rooms could not be read, where the network is not to blame. */
  readonly problem: string
  readonly kept: readonly OpenRoom[]
  readonly marks: readonly KeptMark[]
  readonly forms: readonly KeptForm[]
}
export const useDay = create<Day>(() => ({
  ...{ isReady: false, isOnline: navigator.onLine, rooms: [], coming: [], problem: '' },
  ...{ kept: [], marks: [], forms: [] },
}))

const me = (): string => useSession.getState().user?.userId ?? ''
const placeOf = (key: string) => {
  const [itemId = '', siteCode = '', roomNo = ''] = key.split('.')
  return { itemId, siteCode, roomNo }
}

/** This device, for the trail: a name of its own that says nothing about the person. */
const deviceName = (): string => {
  const known = localStorage.getItem('kaopu-device')
  if (known !== null) return known
  const name = crypto.randomUUID().slice(0, 8)
  localStorage.setItem('kaopu-device', name)
  return name
}

/** No answer came: neither the call nor what it brings is to blame. */
const isOffline = (error: unknown): boolean => isApiError(error) && (error.code === 0 || error.status >= 502)
const quiet = { quiet: true } as const

/** Calls the server; without an answer the page says that it works by itself. */
const ask = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    const answer = await call()
    useDay.setState({ isOnline: true })
    keepClock()
    return answer
  } catch (error) {
    useDay.setState({ isOnline: !isOffline(error) })
    throw error
  }
}

/** Reads what this device keeps. Rooms end with their day, other people's rooms go; marks that nobody has received stay, whoever made them. */
export const startDay = async (): Promise<void> => {
  const [packs, marks, forms] = [await readAll('packs'), await readAll('marks'), await readAll('forms')]
  const own = packs.filter(kept => kept.userId === me())
  restoreClock(Math.max(0, ...own.map(kept => (JSON.parse(kept.pack) as RoomPack).issuedAt)))
  const now = serverNow()
  const live: { kept: KeptPack; pack: RoomPack }[] = []
  for (const kept of own) if (kept.expiresAt > now && (await isGenuine(kept))) live.push({ kept, pack: JSON.parse(kept.pack) as RoomPack })
  const open = new Set(live.map(({ kept }) => kept.key))
  await drop(
    'packs',
    packs.filter(kept => !open.has(kept.key)).map(kept => kept.key),
  )
  const over = (one: KeptMark | KeptForm) => one.isSent && !open.has(one.room)
  await drop(
    'marks',
    marks.filter(over).map(one => one.markId),
  )
  await drop(
    'forms',
    forms.filter(over).map(one => one.violationId),
  )
  // What was taken or marked while the device was read stays: it came later.
  useDay.setState(day => {
    const held = day.kept.filter(one => one.pack.expiresAt > now)
    const taken = new Set(held.map(one => one.key))
    const filed = new Set(day.forms.map(one => one.violationId))
    return {
      isReady: true,
      kept: [...live.filter(({ kept }) => !taken.has(kept.key)).map(({ kept, pack }) => ({ key: kept.key, pack })), ...held],
      marks: merged(
        marks.filter(one => !over(one)),
        day.marks,
      ),
      forms: [...forms.filter(one => !over(one) && !filed.has(one.violationId)), ...day.forms],
    }
  })
}

/** When the next ones are changes with the seats, not by the minute. */
const comingEveryMs = 300_000
let comingReadAt = 0

export const readRooms = async (): Promise<void> => {
  try {
    const rooms = await ask(() => api.call('GET /blade-ticket/day/rooms', {}, quiet))
    useDay.setState({ rooms, problem: '' })
    if (serverNow() < comingReadAt + comingEveryMs) return
    const coming = await ask(() => api.call('GET /blade-ticket/day/rooms', { next: 1 }, quiet))
    comingReadAt = serverNow()
    useDay.setState({ coming })
  } catch (error) {
    useDay.setState({ problem: isOffline(error) || !isApiError(error) ? '' : error.message })
  }
}

/** Takes a room along: from here on it opens without a network. @returns why not, or null */
export const takeRoom = async (key: string): Promise<string | null> => {
  try {
    const { pack, signature, key: publicKey } = await ask(() => api.call('GET /blade-ticket/day/pack', placeOf(key), quiet))
    if (!(await isGenuine({ pack, signature, publicKey }))) return 'forged'
    const room = JSON.parse(pack) as RoomPack
    await keep('packs', [{ key, userId: me(), expiresAt: room.expiresAt, pack, signature, publicKey }])
    useDay.setState(day => ({ kept: [...day.kept.filter(one => one.key !== key), { key, pack: room }] }))
    void syncDay()
    return null
  } catch (error) {
    return isOffline(error) ? 'offline' : isApiError(error) ? error.message : String(error)
  }
}

/** Takes along what is written in a room together. @returns why not, or null */
export const takeSitting = async ({ roomKeys }: Sitting): Promise<string | null> => {
  for (const key of roomKeys) {
    if (useDay.getState().kept.some(one => one.key === key)) continue
    const why = await takeRoom(key)
    if (why !== null) return why
  }
  return null
}

const merged = (before: readonly KeptMark[], more: readonly KeptMark[]): KeptMark[] => [
  ...new Map([...before, ...more].map(one => [one.markId, one])).values(),
]

export const marksOf = (marks: readonly KeptMark[], ticketId: string): KeptMark[] => marks.filter(one => one.ticketId === ticketId)
export const stateOf = (marks: readonly KeptMark[], ticketId: string): number => attendanceOf(marksOf(marks, ticketId))

/** What is to be kept of a mark; a note that was typed beside it comes with it. */
export const freshMarks = (
  of: { readonly room: string; readonly userId: string; readonly at: number; readonly known: readonly KeptMark[] },
  ticketIds: readonly string[],
  kind: number,
  note: string,
): KeptMark[] => {
  const one = (ticketId: string, of_: Pick<KeptMark, 'kind' | 'note' | 'replaces'>): KeptMark => ({
    ...{ markId: crypto.randomUUID(), ticketId, ...of_, at: of.at, room: of.room, userId: of.userId, isSent: false },
  })
  return ticketIds.flatMap(ticketId => [
    ...(kind === markKinds.note ? [] : [one(ticketId, { kind, note: '', replaces: unreplaced(marksOf(of.known, ticketId)) })]),
    ...(note === '' ? [] : [one(ticketId, { kind: markKinds.note, note, replaces: [] })]),
  ])
}

/** Marks people: kept on this device before anything else, then sent. It replaces what the device knows of each. */
export const markPeople = async (room: string, ticketIds: readonly string[], kind: number, note = ''): Promise<void> => {
  const of = { room, userId: me(), at: Math.round(serverNow()), known: useDay.getState().marks }
  const fresh = freshMarks(of, ticketIds, kind, note)
  await keep('marks', fresh)
  useDay.setState(day => ({ marks: merged(day.marks, fresh) }))
  void syncDay()
}

/** What a new mark replaces: all that count now, as this device knows them. */
const unreplaced = (marks: readonly DayMark[]): string[] => {
  const attendance = marks.filter(one => one.kind !== markKinds.note)
  const replaced = new Set(attendance.flatMap(one => one.replaces))
  return attendance.filter(one => !replaced.has(one.markId)).map(one => one.markId)
}

/** The latest time of the mark that counts, for the list. */
export const markedAt = (marks: readonly KeptMark[], ticketId: string): number | undefined => countingMark(marksOf(marks, ticketId))?.at

export const fileForm = async (form: Omit<KeptForm, 'userId' | 'isSent'>): Promise<void> => {
  const kept: KeptForm = { ...form, fields: { ...form.fields, device: deviceName() }, userId: me(), isSent: false }
  await keep('forms', [kept])
  useDay.setState(day => ({ forms: [...day.forms, kept] }))
  void syncDay()
}

/** What the server is to have from this person. Marks that were made for practice stay here. */
export const isWaiting = (one: KeptMark | KeptForm): boolean =>
  one.userId === me() && one.room !== practiceKey && !one.isSent && one.problem === undefined

/** Begins the practice anew. */
export const clearPractice = async (): Promise<void> => {
  const { marks, forms } = useDay.getState()
  const isPractice = (one: KeptMark | KeptForm) => one.room === practiceKey
  await drop(
    'marks',
    marks.filter(isPractice).map(one => one.markId),
  )
  await drop(
    'forms',
    forms.filter(isPractice).map(one => one.violationId),
  )
  useDay.setState(day => ({
    marks: day.marks.filter(one => !isPractice(one)),
    forms: day.forms.filter(one => !isPractice(one)),
  }))
}

const atOnce = 100

const sendMarks = async (): Promise<void> => {
  for (;;) {
    const waiting = useDay.getState().marks.filter(isWaiting)
    if (waiting.length === 0) return
    const part = waiting.slice(0, atOnce)
    const { taken, refused } = await ask(() =>
      api.call(
        'POST /blade-ticket/day/marks',
        {
          device: deviceName(),
          marks: part.map(({ markId, ticketId, kind, note, at, replaces }) => ({
            ...{ markId, ticketId, kind, note, at },
            replaces: replaces.slice(0, 50),
          })),
        },
        quiet,
      ),
    )
    const sent = new Set(taken)
    const problems = new Map(refused.map(one => [one.markId, one.msg]))
    const settled = part.flatMap((one): KeptMark[] => {
      const problem = problems.get(one.markId)
      return sent.has(one.markId) ? [{ ...one, isSent: true }] : problem === undefined ? [] : [{ ...one, problem }]
    })
    // Neither taken nor refused would be sent for ever.
    if (settled.length === 0) return
    await keep('marks', settled)
    useDay.setState(day => ({ marks: merged(day.marks, settled) }))
  }
}

const sendForms = async (): Promise<void> => {
  for (const form of useDay.getState().forms.filter(isWaiting)) {
    const body = new FormData()
    for (const [name, value] of Object.entries(form.fields)) body.set(name, value)
    form.evidence.forEach((picture, i) => void body.append('evidence', picture, `evidence-${i + 1}.jpg`))
    body.set('firstSignature', form.firstSignature, 'first.png')
    body.set('secondSignature', form.secondSignature, 'second.png')
    let settled: KeptForm
    try {
      await ask(() => api.request({ method: 'POST', path: '/blade-ticket/day/violation', body, quiet: true }))
      settled = { ...form, isSent: true }
    } catch (error) {
      if (isOffline(error) || !isApiError(error)) throw error
      settled = { ...form, problem: error.message }
    }
    await keep('forms', [settled])
    useDay.setState(day => ({ forms: day.forms.map(one => (one.violationId === settled.violationId ? settled : one)) }))
  }
}

/** What others have marked in the rooms of this device. */
const readMarks = async (): Promise<void> => {
  for (const { key } of useDay.getState().kept) {
    const marks = await ask(() => api.call('GET /blade-ticket/day/marks', placeOf(key), quiet))
    const known = new Set(
      useDay
        .getState()
        .marks.filter(one => one.isSent)
        .map(one => one.markId),
    )
    const news = marks.filter(one => !known.has(one.markId)).map((one): KeptMark => ({ ...one, room: key, userId: me(), isSent: true }))
    await keep('marks', news)
    if (news.length > 0) useDay.setState(day => ({ marks: merged(day.marks, news) }))
  }
}

let running: Promise<void> | undefined
let isAskedAgain = false

/** Sends what waits and reads what others marked; one at a time. Without a network it ends at once, and the next one begins where it stopped. */
export const syncDay = (): Promise<void> => {
  if (running) {
    isAskedAgain = true
    return running
  }
  running = (async () => {
    try {
      do {
        isAskedAgain = false
        await sendMarks()
        await sendForms()
        await readMarks()
      } while (isAskedAgain)
    } catch {
      // No network: what waits stays on this device until the next time.
    } finally {
      running = undefined
    }
  })()
  return running
}

const everyMs = 10_000
/** From now on the device finds back to the server by itself. @returns how to stop */
export const keepInTouch = (): (() => void) => {
  const again = () => {
    void syncDay()
    void readRooms()
  }
  const timer = setInterval(again, everyMs)
  addEventListener('online', again)
  const offline = () => useDay.setState({ isOnline: false })
  addEventListener('offline', offline)
  again()
  return () => {
    clearInterval(timer)
    removeEventListener('online', again)
    removeEventListener('offline', offline)
  }
}
