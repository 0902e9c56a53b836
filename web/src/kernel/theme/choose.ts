import { writeStored } from '../storage.ts'
import { type Hex, isHex } from './contrast.ts'
import { deriveTokens, type Tokens } from './derive.ts'
import { type Look, lookOf } from './look.ts'
import { drawLook, keepLook, useTheme } from './theme.ts'
import { defaultTheme, headerTheme, type Mode, presetOf } from './themes.ts'

/** A look that nobody chose is no choice of the person. */
const setLook = (look: Look): void => {
  if (look.chosen) keepLook('look', look)
  else {
    writeStored('look', look)
    drawLook()
  }
}

const primaryOf = (look: Look | null): Hex | null => (isHex(look?.primary) ? look.primary : null)

/** Takes a preset for every tab of this browser; the person's own colour stays. */
export const chooseTheme = (name: string): void => setLook(lookOf(name, primaryOf(useTheme.getState().look), true))

/** @param primary - null goes back to the preset's own colour */
export const choosePrimary = (primary: Hex | null): void => setLook(lookOf(useTheme.getState().look?.theme ?? defaultTheme, primary, true))

/**
 * S9.04 and decision 3.11: on mount the console's header takes theme-bule, unless the person chose. A stored look of an older
 * version is made anew.
 */
export const takeHeaderTheme = (): void => {
  const { look } = useTheme.getState()
  const next = look?.chosen ? lookOf(look.theme, primaryOf(look), true) : lookOf(headerTheme, null, false)
  if (JSON.stringify(next) !== JSON.stringify(look)) setLook(next)
}

/** The values behind the variables, for what cannot read variables. */
export const tokensOf = (look: Look | null, mode: Mode): Tokens =>
  deriveTokens(presetOf(look?.theme ?? defaultTheme), mode, primaryOf(look))
