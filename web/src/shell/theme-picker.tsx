import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useLabel, useT } from '../kernel/i18n/index.ts'
import { chooseTheme, tokensOf } from '../kernel/theme/choose.ts'
import { type Look, type Mode, setMode, useTheme } from '../kernel/theme/theme.ts'
import { defaultTheme, type Preset, presets } from '../kernel/theme/themes.ts'
import { Icon } from '../ui/icon.tsx'
import { PopoverButton } from '../ui/menu-button.tsx'
import { themeTexts } from './theme-texts.ts'
import './theme-picker.css'

const paletteIcon =
  'M8 2a6 6 0 1 0 0 12h.8a1.3 1.3 0 0 0 1-2.2 1.2 1.2 0 0 1 .9-2H12a2 2 0 0 0 2-2C14 4.5 11.3 2 8 2ZM4.9 8.4h.01M6.2 5.5h.01M9.8 5.5h.01M11.4 7.7h.01'

/** A panel with several fields: arrows belong to the fields, and Tab goes round in it as in a dialog. */
export const PickerPanel = ({ children }: { readonly children: ReactNode }) => {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = panel.current
    const first = box?.querySelector<HTMLElement>('input:checked') ?? box?.querySelector<HTMLElement>('input, button')
    first?.focus()
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return
    event.stopPropagation()
    if (event.key !== 'Tab') return
    const stops = [
      ...(panel.current?.querySelectorAll<HTMLElement>('input[type=radio]:checked, input:not([type=radio]), button:enabled') ?? []),
    ]
    const [first, last] = [stops[0], stops.at(-1)]
    const leaves = event.shiftKey ? first : last
    if (document.activeElement !== leaves) return
    event.preventDefault()
    ;(event.shiftKey ? last : first)?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the keys of its fields from the menu around it
    <div ref={panel} className="picker" onKeyDown={onKeyDown}>
      {children}
    </div>
  )
}

/** A window in the colours and forms of a preset. */
const Preview = ({ preset, look, mode }: { readonly preset: Preset; readonly look: Look | null; readonly mode: Mode }) => {
  const primary = look?.primary ?? null
  const style = useMemo(() => {
    const tokens = tokensOf({ theme: preset.name, primary } as Look, mode)
    return Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--${name}`, value])) as CSSProperties
  }, [preset, primary, mode])
  const { sider, menu, header, tabs } = preset.shell
  return (
    <span className="preview" style={style} data-sider={sider} data-menu={menu} data-header={header} data-tabs={tabs} aria-hidden="true">
      <i className="preview-sider">
        <i />
        <i />
        <i />
      </i>
      <i className="preview-header" />
      <i className="preview-tabs">
        <i />
        <i />
      </i>
      <i className="preview-page">
        <i className="preview-card">
          <i />
          <i />
          <i />
        </i>
      </i>
    </span>
  )
}

const ModeSwitch = () => {
  const t = useT(themeTexts)
  const label = useLabel()
  const { mode, forced, look } = useTheme()
  const preset = presets.find(each => each.name === look?.theme)
  return (
    <fieldset className="picker-group">
      <legend>{t('theme.mode')}</legend>
      {forced && preset !== undefined ? (
        <p className="picker-note">{t('theme.mode.forced', { name: label(preset.label) })}</p>
      ) : (
        <div className="picker-modes">
          {(['light', 'dark'] as const).map(each => (
            <button key={each} type="button" className="button button-small" aria-pressed={mode === each} onClick={() => setMode(each)}>
              {t(`theme.mode.${each}`)}
            </button>
          ))}
        </div>
      )}
    </fieldset>
  )
}

const Presets = () => {
  const t = useT(themeTexts)
  const label = useLabel()
  const { mode, look } = useTheme()
  const now = look?.theme ?? defaultTheme
  return (
    <fieldset className="picker-group">
      <legend>{t('theme.presets')}</legend>
      <div className="picker-presets">
        {presets.map(preset => (
          <label key={preset.name} className="picker-preset">
            <input
              type="radio"
              name="theme-preset"
              value={preset.name}
              checked={preset.name === now}
              onChange={() => chooseTheme(preset.name)}
            />
            <Preview preset={preset} look={look} mode={mode} />
            <span className="picker-name">{label(preset.label)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** S2.35: the eleven presets as small windows, and the brightness. A choice counts at once, in every tab of the browser. */
export const ThemePicker = () => {
  const t = useT(themeTexts)
  return (
    <PopoverButton
      className="icon-button"
      label={t('theme.label')}
      content={() => (
        <PickerPanel>
          <Presets />
          <ModeSwitch />
        </PickerPanel>
      )}
    >
      <Icon d={paletteIcon} size={18} />
    </PopoverButton>
  )
}
