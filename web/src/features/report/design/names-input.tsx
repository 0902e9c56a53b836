import { useId } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { Icon } from '#web/ui/icon.tsx'
import { reportTexts } from '../texts.ts'

interface Props {
  readonly legend: string
  readonly chosen: readonly string[]
  /** What can be chosen besides. */
  readonly offered: readonly { readonly value: string; readonly label: string }[]
  /** Undefined for a name that the data set does not have any more. */
  readonly labelOf: (name: string) => string | undefined
  readonly most: number
  readonly error: string | undefined
  readonly onChange: (names: readonly string[]) => void
}

const arrows = { up: 'M8 12.5v-9M4 7l4-4 4 4', down: 'M8 3.5v9M4 9l4 4 4-4', take: 'M4 4l8 8M12 4l-8 8' } as const

/** Names in an order: added from a list, moved and taken away by buttons, so that a keyboard is enough. */
export const NamesInput = ({ legend, chosen, offered, labelOf, most, error, onChange }: Props) => {
  const t = useT(reportTexts)
  const id = useId()
  const move = (from: number, to: number) => {
    const next = [...chosen]
    const [one] = next.splice(from, 1)
    if (one !== undefined) next.splice(to, 0, one)
    onChange(next)
  }
  return (
    <fieldset className="report-part" aria-describedby={error === undefined ? undefined : `${id}e`}>
      <legend>{legend}</legend>
      {chosen.length === 0 ? null : (
        <ol className="report-chosen">
          {chosen.map((name, at) => {
            const known = labelOf(name)
            const label = known ?? t('design.gone', { name })
            const button = (key: keyof typeof arrows, text: string, isOff: boolean, run: () => void) => (
              <button type="button" className="icon-button" aria-label={text} title={text} disabled={isOff} onClick={run}>
                <Icon d={arrows[key]} />
              </button>
            )
            return (
              <li key={name} data-gone={known === undefined}>
                <span>{label}</span>
                {chosen.length < 2 ? null : (
                  <>
                    {button('up', t('design.up', { name: label }), at === 0, () => move(at, at - 1))}
                    {button('down', t('design.down', { name: label }), at === chosen.length - 1, () => move(at, at + 1))}
                  </>
                )}
                {button('take', t('design.take', { name: label }), false, () => onChange(chosen.filter((_, other) => other !== at)))}
              </li>
            )
          })}
        </ol>
      )}
      {chosen.length >= most || offered.length === 0 ? null : (
        <select
          className="input"
          aria-label={t('design.add', { part: legend })}
          aria-invalid={error !== undefined}
          value=""
          onChange={event => {
            if (event.target.value !== '') onChange([...chosen, event.target.value])
          }}
        >
          <option value="">{t('design.add', { part: legend })}</option>
          {offered.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      {error === undefined ? null : (
        <span id={`${id}e`} className="field-error" role="alert">
          {error}
        </span>
      )}
    </fieldset>
  )
}
