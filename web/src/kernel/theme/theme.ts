import { create } from 'zustand'
import { keepChoice } from '../personal.ts'
import { onStored, readStored } from '../storage.ts'
import type { Look } from './look.ts'
import type { Mode } from './themes.ts'

export type { Look, Mode }
export type Density = 'compact' | 'default' | 'loose'

interface ThemeState {
  readonly mode: Mode
  readonly density: Density
  /** The preset has one mode only: there is nothing to switch. */
  readonly forced: boolean
  /** Null until something was stored: the look of tokens.css. */
  readonly look: Look | null
}

/** `web/boot.js` sets the same attributes before the first paint. */
export const useTheme = create<ThemeState>(() => ({ mode: 'light', density: 'compact', forced: false, look: null }))

const preferred = (): Mode => (typeof matchMedia === 'function' && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

const plain: Look['shell'] = { sider: 'light', menu: 'soft', header: 'plain', tabs: 'box' }

export const drawLook = (): void => {
  const look = readStored<Look>('look')
  const mode = look?.force ?? readStored<Mode>('mode') ?? preferred()
  const density = readStored<Density>('density') ?? 'compact'
  const root = document.documentElement
  Object.assign(root.dataset, { theme: mode, density, preset: look?.theme ?? 'theme-hey', ...(look?.shell ?? plain) })
  const css = look?.[mode] ?? ''
  if (root.style.cssText !== css) root.style.cssText = css
  useTheme.setState({ mode, density, forced: look?.force != null, look })
}

/** Call once per entry, before the first render. */
export const startTheme = (): void => {
  drawLook()
  for (const name of ['look', 'mode', 'density']) onStored(name, drawLook)
}

/** A choice of the person: kept, and drawn at once. */
export const keepLook = (name: string, value: unknown): void => {
  keepChoice(name, value)
  drawLook()
}

export const setMode = (mode: Mode): void => keepLook('mode', mode)
