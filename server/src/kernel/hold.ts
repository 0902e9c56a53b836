import type { Log } from './log.ts'

/** Key of the row of `installation` that holds everything back. */
export const holdKey = 'restored'

/** Why an installation sends nothing. */
export interface HoldReason {
  /** The backup that it comes from; empty where the database was put back without this program. */
  readonly backup: string
  /** ISO, UTC: the instant that the data is of, as far as it is known. */
  readonly takenAt: string
  /** ISO, UTC. */
  readonly restoredAt: string
  /** Heads of the audit, as `tenant:seq:hash`, that are remembered outside of the database and are not in it; absent where an operator held it back. */
  readonly ahead?: readonly string[]
}

/**
 * What has effects outside of this installation (every outbound call, the queue, scheduled jobs) asks this first. An installation that was restored
 * from a backup is held back until an operator has looked at it: what it would send may have been sent already, or be sent by its original.
 */
export interface Hold {
  readonly isHeld: () => boolean
}

/** For what runs without an installation: tests of a single part. */
export const neverHeld: Hold = { isHeld: () => false }

export interface HoldWatch extends Hold {
  readonly reason: () => HoldReason | undefined
  /** Reads the row again; called at the start, when the row is said to have changed, and while it is there. */
  readonly look: () => Promise<void>
  /** Calls `work` once, as soon as nothing is held back: at once, awaited, or later, when the operator releases it. */
  readonly whenReleased: (work: () => unknown) => Promise<void>
  readonly stop: () => void
}

export type Query = <R extends object>(text: string, values?: readonly unknown[]) => Promise<{ rows: R[] }>

export const readHold = async (query: Query): Promise<HoldReason | undefined> =>
  (await query<{ value: HoldReason }>('select value from installation where key = $1', [holdKey])).rows[0]?.value

/** From now on nothing leaves the installation. The queue and outbound calls of running processes stop within seconds. */
export const putOnHold = async (query: Query, reason: HoldReason): Promise<void> =>
  void (await query('insert into installation (key, value) values ($1, $2::jsonb) on conflict (key) do update set value = excluded.value', [
    holdKey,
    JSON.stringify(reason),
  ]))

/** Key of the row with the heads of the audit that were known to be lost when an operator released the installation. */
const releasedKey = 'released'

export const readReleased = async (query: Query): Promise<readonly string[]> =>
  (await query<{ value: readonly string[] }>('select value from installation where key = $1', [releasedKey])).rows[0]?.value ?? []

/** Lets it send and work again. @param ahead - heads that no start holds it back for any more */
export const releaseHold = async (query: Query, ahead: readonly string[]): Promise<void> => {
  const known = [...new Set([...(await readReleased(query)), ...ahead])]
  if (known.length > 0)
    await query('insert into installation (key, value) values ($1, $2::jsonb) on conflict (key) do update set value = excluded.value', [
      releasedKey,
      JSON.stringify(known),
    ])
  await query('delete from installation where key = $1', [holdKey])
}

/** The notice of a change may be lost with its connection. */
const lookAgainMs = 5_000

/** @param query - as a role that reads `installation` */
export const watchHold = async (query: Query, log: Log): Promise<HoldWatch> => {
  let reason = await readHold(query)
  let waiting: (() => unknown)[] = []
  let isStopped = false
  const look = async (): Promise<void> => {
    reason = await readHold(query)
    if (reason !== undefined || isStopped) return
    const due = waiting
    waiting = []
    for (const work of due) await work()
  }
  const timer = setInterval(() => {
    if (reason !== undefined)
      look().catch((error: unknown) => log.error({ err: error }, 'whether the installation is released was not read'))
  }, lookAgainMs)
  timer.unref()
  return {
    isHeld: () => reason !== undefined,
    reason: () => reason,
    look,
    whenReleased: async work => {
      if (reason !== undefined) waiting.push(work)
      else await work()
    },
    stop: () => {
      isStopped = true
      clearInterval(timer)
    },
  }
}
