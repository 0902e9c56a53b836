import { api } from '../kernel/api.ts'
import { isApiError } from '../kernel/api-error.ts'
import { chosenEvent, readUnsent, writeUnsent } from '../kernel/personal.ts'
import { type SessionUser, useSession } from '../kernel/session.ts'
import { prefix, readStored, writeStored } from '../kernel/storage.ts'
import { isHex } from '../kernel/theme/contrast.ts'
import { type Look, lookOf } from '../kernel/theme/look.ts'

/** Stores what came from elsewhere: this page and the other tabs hear of it alike. */
const bringStored = (name: string, value: unknown): void => {
  writeStored(name, value)
  dispatchEvent(new StorageEvent('storage', { key: prefix + name }))
}

/** A choice is sent at once; those that follow it within so long travel together, as while a divider is drawn. */
const sendAfterMs = 600

type Person = Pick<SessionUser, 'tenantId' | 'userId'>
const ownPrefix = (person: Person): string => `own-${person.tenantId}-${person.userId}-`

/** The name with the account: in the browser the choices of a part carry the person, who is known there. */
export const wireName = (stored: string, person: Person): string =>
  stored.startsWith(ownPrefix(person)) ? `own.${stored.slice(ownPrefix(person).length)}` : stored
export const storedName = (wire: string, person: Person): string =>
  wire.startsWith('own.') ? ownPrefix(person) + wire.slice('own.'.length) : wire

/** Of the look travels what was chosen; the finished declarations follow from it (ADR 0029). */
export const wireValue = (name: string, value: unknown): unknown => {
  if (name !== 'look' || value === null) return value
  const { theme, primary } = value as Look
  return { theme, primary }
}

/** What the browser keeps of a value of the account; undefined when it is none that this program knows. */
export const storedValue = (name: string, value: unknown): unknown => {
  if (value === null) return null
  switch (name) {
    case 'look': {
      const { theme, primary } = value as { theme?: unknown; primary?: unknown }
      return typeof theme === 'string' ? lookOf(theme, isHex(primary) ? primary : null, true) : undefined
    }
    case 'mode':
      return value === 'light' || value === 'dark' ? value : undefined
    case 'density':
      return value === 'compact' || value === 'default' || value === 'loose' ? value : undefined
    case 'lang':
      return value === 'zh' || value === 'en' ? value : undefined
    case 'folded':
      return typeof value === 'boolean' ? value : undefined
    default:
      return name.startsWith('own.') ? value : undefined
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Part of the choices that are the account's; the others are of this browser. */
const shared = new Set(['look', 'mode', 'density', 'lang', 'folded'])
/** The server takes as many at once. */
const mostAtOnce = 50

/** Names of this person's choices that the account does not have yet. */
const unsentOf = (person: Person): readonly string[] =>
  Object.entries(readUnsent()).flatMap(([name, who]) => (who === '' || who === person.userId ? [name] : []))

const pull = async (person: Person): Promise<void> => {
  const { settings } = await api.call('GET /me/settings', {}, { quiet: true })
  const newer = new Set(unsentOf(person))
  for (const { name, value } of settings) {
    const stored = storedName(name, person)
    const next = storedValue(name, value)
    if (next !== undefined && !newer.has(stored) && !same(next, readStored(stored))) bringStored(stored, next)
  }
}

const push = async (person: Person): Promise<void> => {
  const sent = unsentOf(person)
    .filter(name => shared.has(name) || name.startsWith(ownPrefix(person)))
    .slice(0, mostAtOnce)
    .map(stored => ({ stored, value: readStored<unknown>(stored) }))
  if (sent.length === 0) return
  const done = () => {
    const left = Object.entries(readUnsent()).filter(
      ([name]) => !sent.some(one => one.stored === name && same(one.value, readStored(name))),
    )
    // What nobody of this session chose is left to nobody.
    writeUnsent(Object.fromEntries(left.filter(([, who]) => who === person.userId)))
  }
  try {
    const settings = sent.map(({ stored, value }) => ({ name: wireName(stored, person), value: wireValue(stored, value) }))
    await api.call('POST /me/settings', { settings }, { quiet: true })
    done()
  } catch (error) {
    // Without a network it goes with the next choice or the next visit; what is refused would be refused again.
    if (isApiError(error) && error.status === 400) done()
  }
}

/** Brings the account's settings to this browser, then this browser's choices to the account, from now on. */
export const startOwnSettings = (): (() => void) => {
  const person = useSession.getState().user
  if (person === null) return () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  let turn: Promise<void> = Promise.resolve()
  let isPulled = false
  const run = (): void => {
    if (useSession.getState().locked) return
    turn = turn.then(async () => {
      if (!isPulled) await pull(person).then(() => (isPulled = true))
      await push(person)
    })
    turn = turn.catch(() => {})
  }
  let heardAt = Number.NEGATIVE_INFINITY
  const heard = () => {
    const isFirst = performance.now() - heardAt > sendAfterMs
    heardAt = performance.now()
    clearTimeout(timer)
    if (isFirst) run()
    else timer = setTimeout(run, sendAfterMs)
  }
  run()
  addEventListener(chosenEvent, heard)
  const stop = useSession.subscribe((now, before) => {
    if (before.locked && !now.locked && !isPulled) run()
  })
  return () => {
    clearTimeout(timer)
    removeEventListener(chosenEvent, heard)
    stop()
  }
}
