import { useState } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { listTexts } from './texts.ts'

type Unit = ApiOutput<'GET /blade-signup/examine/getExamUnits'>[number]

/** More units than these fold away. */
const shownUnits = 8

/** Units with what waits there; one of them narrows the list. Most work first. */
export const UnitChips = ({
  units,
  chosen,
  onChoose,
}: {
  readonly units: readonly Unit[]
  readonly chosen: string | null
  readonly onChoose: (unit: string | null) => void
}) => {
  const t = useT(listTexts)
  const [open, setOpen] = useState(false)
  if (units.length === 0) return null
  const sorted = [...units].sort((a, b) => b.waiting - a.waiting || a.unit.localeCompare(b.unit))
  const shown = open ? sorted : sorted.filter((unit, index) => index < shownUnits || unit.unit === chosen)
  const waiting = units.reduce((sum, unit) => sum + unit.waiting, 0)
  return (
    <fieldset className="unit-chips" aria-label={t('units.label')}>
      <button type="button" className="unit-chip" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        {t('units.all')}
        <span>{t('units.waiting', { waiting })}</span>
      </button>
      {shown.map(unit => (
        <button
          key={unit.unit}
          type="button"
          className="unit-chip"
          aria-pressed={chosen === unit.unit}
          title={t('units.detail', { ...unit, name: unit.unitName })}
          onClick={() => onChoose(chosen === unit.unit ? null : unit.unit)}
        >
          {unit.unitName}
          <span data-none={unit.waiting === 0}>
            {unit.waiting} / {unit.total}
          </span>
        </button>
      ))}
      {sorted.length > shownUnits ? (
        <button type="button" className="link-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('units.less') : t('units.more', { n: sorted.length })}
        </button>
      ) : null}
    </fieldset>
  )
}
