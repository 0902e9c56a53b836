import { learnServerTime, serverNow } from '#web/kernel/clock.ts'

/**
 * The day at the door goes by the server's clock. A page that is opened again without a network has heard nothing from it yet, and the phone's
 * own date may be wrong: the difference of the two is kept with the rooms.
 */
const storedAs = 'kaopu-site-clock'

/** What the time is, as far as a device knows that the server has not answered yet: never before the latest room was given out. */
export const knownNow = (of: { readonly deviceNow: number; readonly offset: number; readonly notBefore: number }): number =>
  Math.max(of.deviceNow + of.offset, of.notBefore)

/** By the phone's own clock. */
const deviceClock = (): number => performance.timeOrigin + performance.now()
/** The two ways to read one clock differ by less. */
const sameMs = 1_000

export const keepClock = (): void => localStorage.setItem(storedAs, String(Math.round(serverNow() - deviceClock())))

/** @param notBefore - when the latest room on this device was given out */
export const restoreClock = (notBefore: number): void => {
  const deviceNow = deviceClock()
  const isHeard = Math.abs(serverNow() - deviceNow) > sameMs
  if (isHeard) return
  const offset = Number(localStorage.getItem(storedAs) ?? 0)
  const now = knownNow({ deviceNow, offset: Number.isFinite(offset) ? offset : 0, notBefore })
  learnServerTime(String(Math.round(now)), deviceNow, deviceNow)
}
