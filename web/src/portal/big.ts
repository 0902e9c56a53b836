import { create } from 'zustand'
import { setPlainTexts } from '#web/kernel/i18n/index.ts'
import { onStored, readStored, writeStored } from '#web/kernel/storage.ts'

const useBigStore = create<{ big: boolean }>(() => ({ big: false }))

/** Large type with plain words, for people who want it (适老化). */
export const useBig = (): boolean => useBigStore(state => state.big)

const apply = async (): Promise<void> => {
  const big = readStored<boolean>('big') === true
  document.documentElement.toggleAttribute('data-big', big)
  try {
    setPlainTexts(big ? (await import('./plain.ts')).plainTexts : null)
  } catch {
    // The usual words are there.
  }
  useBigStore.setState({ big })
}

/** The choice is stored; call once when the portal is drawn. @returns takes it away again: the console has sizes of its own */
export const startBig = (): (() => void) => {
  void apply()
  const stop = onStored('big', () => void apply())
  return () => {
    stop()
    document.documentElement.removeAttribute('data-big')
    setPlainTexts(null)
  }
}

export const setBig = (big: boolean): void => {
  writeStored('big', big ? true : null)
  void apply()
}
