import { create } from 'zustand'
import { onStored, readStored, writeStored } from '../storage.ts'

export type Mode = 'light' | 'dark'
export type Density = 'compact' | 'default' | 'loose'

/**
 * What the person chose; without a choice the system's preference. `theme-boot.js` sets the same attributes before the first
 * paint. Named themes add an attribute here and a block of the same variables in a style sheet.
 */
export const useTheme = create<{ mode: Mode; density: Density }>(() => ({ mode: 'light', density: 'compact' }))

const preferred = (): Mode => (typeof matchMedia === 'function' && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

const apply = () => {
  const mode = readStored<Mode>('mode') ?? preferred()
  const density = readStored<Density>('density') ?? 'compact'
  document.documentElement.dataset.theme = mode
  document.documentElement.dataset.density = density
  useTheme.setState({ mode, density })
}

/** Call once per entry, before the first render. */
export const startTheme = (): void => {
  apply()
  onStored('mode', apply)
  onStored('density', apply)
}

export const setMode = (mode: Mode): void => {
  writeStored('mode', mode)
  apply()
}
export const setDensity = (density: Density): void => {
  writeStored('density', density)
  apply()
}
