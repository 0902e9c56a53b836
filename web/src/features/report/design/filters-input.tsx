import { useState } from 'react'
import type { DataSet } from '#contract/report/data-sets.ts'
import { type DesignFilter, maxFilters } from '#contract/report/design.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { DayInput } from '#web/resource/day-input.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Check, Labelled } from '#web/ui/labelled.tsx'
import { reportTexts } from '../texts.ts'

interface ValuesProps {
  readonly dataSet: string
  readonly dimension: string
  readonly label: string
  readonly chosen: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

/** More values than this are found by a word. */
const findFrom = 12

const Values = ({ dataSet, dimension, label, chosen, onChange }: ValuesProps) => {
  const t = useT(reportTexts)
  const [word, setWord] = useState('')
  const { data, isPending } = useCall('GET /blade-report/report/values', { dataSet, dimension }, { quiet: true, staleTimeMs: 60_000 })
  const known = data ?? []
  // What was chosen once and no row has any more is still chosen.
  const lost = chosen.filter(value => !known.some(one => one.value === value)).map(value => ({ value, label: value }))
  const shown = [...known, ...(isPending ? [] : lost)].filter(one => one.label.toLowerCase().includes(word.trim().toLowerCase()))
  const group = t('design.filter.values', { name: label })
  return (
    <>
      {known.length > findFrom ? (
        <input
          className="input"
          type="search"
          aria-label={`${group}: ${t('design.filter.search')}`}
          placeholder={t('design.filter.search')}
          value={word}
          onChange={event => setWord(event.target.value)}
        />
      ) : null}
      {/* biome-ignore lint/a11y/useSemanticElements: it stands in a fieldset already */}
      <div className="report-values" role="group" aria-label={group}>
        {shown.map(one => (
          <Check
            key={one.value}
            label={one.label}
            on={chosen.includes(one.value)}
            onChange={isOn => onChange(isOn ? [...chosen, one.value] : chosen.filter(value => value !== one.value))}
          />
        ))}
        {shown.length === 0 && !isPending ? <p className="report-hint">{t('design.filter.empty')}</p> : null}
      </div>
      <p className="report-hint">{t('design.filter.chosen', { count: chosen.length })}</p>
    </>
  )
}

interface Props {
  readonly dataSet: string
  readonly set: DataSet
  readonly filters: readonly DesignFilter[]
  readonly offered: readonly { readonly value: string; readonly label: string }[]
  readonly errorOf: (dimension: string) => string | undefined
  readonly onChange: (filters: DesignFilter[]) => void
}

/** What the figures are of: values of dimensions, and days. */
export const FiltersInput = ({ dataSet, set, filters, offered, errorOf, onChange }: Props) => {
  const t = useT(reportTexts)
  const label = useLabel()
  const change = (at: number, of: DesignFilter) => onChange(filters.map((one, other) => (other === at ? of : one)))
  return (
    <fieldset className="report-part">
      <legend>{t('design.filters')}</legend>
      {filters.length === 0 ? <p className="report-hint">{t('design.filter.none')}</p> : null}
      {filters.map((filter, at) => {
        const dimension = Object.hasOwn(set.dimensions, filter.dimension) ? set.dimensions[filter.dimension] : undefined
        const name = dimension ? label(dimension.label) : t('design.gone', { name: filter.dimension })
        const take = t('design.take', { name })
        const { from, until, ...rest } = filter
        const day = (key: 'from' | 'until', text: string) => (
          <Labelled label={text}>
            {id => (
              <DayInput
                id={id}
                label={text}
                value={filter[key] ?? ''}
                onChange={value =>
                  change(at, {
                    ...rest,
                    ...(from && key !== 'from' ? { from } : {}),
                    ...(until && key !== 'until' ? { until } : {}),
                    ...(value === '' ? {} : { [key]: value }),
                  })
                }
              />
            )}
          </Labelled>
        )
        const error = errorOf(filter.dimension)
        return (
          <fieldset key={filter.dimension} className="report-part report-filter">
            <legend className="visually-hidden">{name}</legend>
            <ul className="report-chosen">
              <li data-gone={dimension === undefined}>
                <span>{name}</span>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={take}
                  title={take}
                  onClick={() => onChange(filters.filter((_, other) => other !== at))}
                >
                  <Icon d="M4 4l8 8M12 4l-8 8" />
                </button>
              </li>
            </ul>
            {dimension === undefined ? null : dimension.isDay ? (
              <div className="report-days">
                {day('from', t('design.filter.from'))}
                {day('until', t('design.filter.until'))}
              </div>
            ) : (
              <Values
                dataSet={dataSet}
                dimension={filter.dimension}
                label={name}
                chosen={filter.values ?? []}
                onChange={values => change(at, { ...filter, values: [...values] })}
              />
            )}
            {error === undefined ? null : (
              <span className="field-error" role="alert">
                {error}
              </span>
            )}
          </fieldset>
        )
      })}
      {filters.length >= maxFilters || offered.length === 0 ? null : (
        <select
          className="input"
          aria-label={t('design.add', { part: t('design.filters') })}
          value=""
          onChange={event => {
            if (event.target.value !== '') onChange([...filters, { dimension: event.target.value }])
          }}
        >
          <option value="">{t('design.add', { part: t('design.filters') })}</option>
          {offered.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  )
}
