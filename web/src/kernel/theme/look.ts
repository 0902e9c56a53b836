import type { Hex } from './contrast.ts'
import { cssOf, deriveTokens } from './derive.ts'
import { type Mode, presetOf, type ShellLook } from './themes.ts'

/**
 * The look of this browser as it is stored: the choice, and what follows from it, ready to be put on the root element. So `web/boot.js`
 * paints it before anything is drawn, and neither login nor portal carries the presets.
 */
export interface Look {
  readonly theme: string
  /** The person's own colour; null takes the preset's. */
  readonly primary: string | null
  /** False while it is only what the console's header took (decision 3.11). */
  readonly chosen: boolean
  /** The one mode of a preset that is made for it. */
  readonly force: Mode | null
  /** Values of `data-sider`, `data-menu`, `data-header`, `data-tabs`. */
  readonly shell: ShellLook
  /** Declarations of the variables of tokens.css. */
  readonly light: string
  readonly dark: string
}

export const lookOf = (name: string, primary: Hex | null, chosen: boolean): Look => {
  const preset = presetOf(name)
  return {
    theme: preset.name,
    primary,
    chosen,
    force: preset.force ?? null,
    shell: preset.shell,
    light: cssOf(deriveTokens(preset, 'light', primary)),
    dark: cssOf(deriveTokens(preset, 'dark', primary)),
  }
}
