import { memo } from 'react'
import type { RuledNounShown } from '#contract/access/field-rule.routes.ts'
import { type FieldLevel, fieldLevels } from '#contract/kernel/field-rule.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { isBeyond, type Levels } from './levels.ts'
import { fieldTexts } from './texts.ts'

interface Props {
  readonly noun: RuledNounShown
  readonly levels: Levels
  readonly saved: Levels
  readonly readOnly: boolean
  readonly onChange: (at: string, level: FieldLevel) => void
}

/** The fields of one noun with what each choice would show. */
export const NounTable = memo(({ noun, levels, saved, readOnly, onChange }: Props) => {
  const t = useT(fieldTexts)
  const label = useLabel()
  const ats = noun.fields.map(field => `${noun.code}.${field.name}`)
  const count = ats.filter(at => levels[at] !== undefined).length
  return (
    <details className="card field-noun" open={count > 0}>
      <summary>
        <span>{label(noun.label)}</span>
        {count === 0 ? null : <span className="field-count">{t('field.set', { count })}</span>}
      </summary>
      {noun.fields.map(field => {
        const at = `${noun.code}.${field.name}`
        const now = levels[at] ?? 'full'
        const samples: Readonly<Record<FieldLevel, string>> = {
          full: field.example?.full ?? t('field.value'),
          masked: field.example?.masked ?? '',
          hidden: '—',
        }
        return (
          <fieldset key={field.name} className="field-row" data-changed={now !== (saved[at] ?? 'full')}>
            <legend>{label(field.label)}</legend>
            {fieldLevels.map(level => {
              if (level === 'masked' && field.example === null)
                return (
                  <span key={level} className="field-none">
                    {t('field.noHalf')}
                  </span>
                )
              const beyond = isBeyond(level, field.most, saved[at] ?? 'full')
              return (
                <label key={level} className="field-choice" title={beyond ? t('field.beyond') : undefined}>
                  <input
                    type="radio"
                    name={at}
                    checked={now === level}
                    disabled={readOnly || beyond}
                    onChange={() => onChange(at, level)}
                  />
                  <span>
                    {t(`field.${level}`)}
                    <small>{samples[level]}</small>
                  </span>
                </label>
              )
            })}
          </fieldset>
        )
      })}
    </details>
  )
})
NounTable.displayName = 'NounTable'
