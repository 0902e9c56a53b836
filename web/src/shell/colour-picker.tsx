import { useId, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { choosePrimary } from '../kernel/theme/choose.ts'
import { type Hex, isHex } from '../kernel/theme/contrast.ts'
import { useTheme } from '../kernel/theme/theme.ts'
import { defaultPrimary, defaultTheme, presetOf } from '../kernel/theme/themes.ts'
import { Icon } from '../ui/icon.tsx'
import { PopoverButton } from '../ui/menu-button.tsx'
import { PickerPanel } from './theme-picker.tsx'
import { themeTexts } from './theme-texts.ts'

const dropIcon = 'M8 2s4.3 4.4 4.3 7.5a4.3 4.3 0 0 1-8.6 0C3.7 6.4 8 2 8 2ZM6 9.8a2 2 0 0 0 2 2'

const ready = [
  '409eff',
  '1668dc',
  '2f54eb',
  '722ed1',
  'b0368f',
  'd4380d',
  'd46b08',
  'a0781e',
  '389e0d',
  '17b3a3',
  '0e7490',
  '3d4656',
] as const

/** With or without the `#`, as it was copied from elsewhere. */
const colourOf = (text: string): string => text.trim().toLowerCase().replace(/^#?/, '#')

const Panel = () => {
  const t = useT(themeTexts)
  const id = useId()
  const look = useTheme(state => state.look)
  const preset = presetOf(look?.theme ?? defaultTheme)
  const own = isHex(look?.primary) ? look.primary : null
  const now: Hex = own ?? preset.primary ?? defaultPrimary
  const [typed, setTyped] = useState<string | null>(null)
  const wrong = typed !== null && !isHex(colourOf(typed))
  const choose = (colour: Hex | null) => {
    setTyped(null)
    choosePrimary(colour)
  }
  const type = (text: string) => {
    const colour = colourOf(text)
    setTyped(text)
    if (isHex(colour)) choosePrimary(colour)
  }
  return (
    <PickerPanel>
      <fieldset className="picker-group">
        <legend>{t('colour.ready')}</legend>
        <div className="picker-swatches">
          {ready.map(each => (
            <button
              key={each}
              type="button"
              className="picker-swatch"
              style={{ background: `#${each}` }}
              aria-label={t(`colour.${each}`)}
              title={t(`colour.${each}`)}
              aria-pressed={now.toLowerCase() === `#${each}`}
              onClick={() => choose(`#${each}`)}
            />
          ))}
        </div>
      </fieldset>
      <div className="picker-own">
        <label htmlFor={`${id}-own`}>{t('colour.own')}</label>
        <input id={`${id}-own`} type="color" value={now} onChange={event => choose(event.target.value as Hex)} />
        <input
          className="input"
          aria-label={t('colour.value')}
          aria-invalid={wrong}
          aria-describedby={wrong ? `${id}-wrong` : undefined}
          value={typed ?? now.toUpperCase()}
          maxLength={7}
          spellCheck={false}
          onChange={event => type(event.target.value)}
          onBlur={() => !wrong && setTyped(null)}
        />
      </div>
      {wrong ? (
        <p id={`${id}-wrong`} className="field-error" role="alert">
          {t('colour.wrong')}
        </p>
      ) : null}
      <p className="picker-note">{t('colour.guard')}</p>
      <button type="button" className="button button-small" disabled={own === null} onClick={() => choose(null)}>
        {t('colour.reset')}
      </button>
    </PickerPanel>
  )
}

/** S2.36: a primary colour of one's own for whatever theme is chosen. */
export const ColourPicker = () => {
  const t = useT(themeTexts)
  return (
    <PopoverButton className="icon-button" label={t('colour.label')} content={() => <Panel />}>
      <Icon d={dropIcon} size={18} />
    </PopoverButton>
  )
}
