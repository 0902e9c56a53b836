import { memo } from 'react'
import type { RuledFactShown, RuledNounShown } from '#contract/access/field-rule.routes.ts'
import { type FieldLevel, factCode, fieldLevels } from '#contract/kernel/field-rule.ts'
import type { Label } from '#contract/kernel/label.ts'
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

interface Rows extends Omit<Props, 'noun'> {
  /** What rules about these fields begin with: `exampay`, or `fact`. */
  readonly code: string
  readonly fields: readonly (Omit<RuledFactShown, 'copies'> & { readonly copies?: RuledFactShown['copies'] })[]
}

const useList = () => {
  const t = useT(fieldTexts)
  const label = useLabel()
  return (labels: readonly Label[]): string => labels.map(label).join(t('field.and'))
}

const Rows = ({ code, fields, levels, saved, readOnly, onChange }: Rows) => {
  const t = useT(fieldTexts)
  const label = useLabel()
  const list = useList()
  return (
    <>
      {fields.map(field => {
        const at = `${code}.${field.name}`
        const now = levels[at] ?? 'full'
        const samples: Readonly<Record<FieldLevel, string>> = {
          full: field.example?.full ?? t('field.value'),
          masked: field.example?.masked ?? '',
          hidden: '—',
        }
        return (
          <fieldset
            key={field.name}
            className="field-row"
            aria-describedby={field.copies && `${at}-copies`}
            data-changed={now !== (saved[at] ?? 'full')}
          >
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
            {field.copies === undefined ? null : (
              <p id={`${at}-copies`} className="field-copies">
                {t('field.in', { nouns: list(field.copies) })}
              </p>
            )}
          </fieldset>
        )
      })}
    </>
  )
}

/** What is told about people, whichever noun tells it: each choice is about all the copies. */
export const FactTable = memo(({ facts, ...rest }: Omit<Props, 'noun'> & { readonly facts: readonly RuledFactShown[] }) => {
  const t = useT(fieldTexts)
  const count = facts.filter(({ name }) => rest.levels[`${factCode}.${name}`] !== undefined).length
  return (
    <details className="card field-noun" open>
      <summary>
        <span>{t('field.facts')}</span>
        {count === 0 ? null : <span className="field-count">{t('field.set', { count })}</span>}
      </summary>
      <p className="field-note">{t('field.facts.help')}</p>
      <Rows code={factCode} fields={facts} {...rest} />
    </details>
  )
})
FactTable.displayName = 'FactTable'

/** The fields of one noun that no other tells, with what each choice would show; copies of facts are ruled above. */
export const NounTable = memo(({ noun, ...rest }: Props) => {
  const t = useT(fieldTexts)
  const label = useLabel()
  const list = useList()
  const own = noun.fields.filter(({ fact }) => fact === null)
  const copies = noun.fields.filter(({ fact }) => fact !== null)
  const count = own.filter(({ name }) => rest.levels[`${noun.code}.${name}`] !== undefined).length
  return (
    <details className="card field-noun" open={count > 0}>
      <summary>
        <span>{label(noun.label)}</span>
        {count === 0 ? null : <span className="field-count">{t('field.set', { count })}</span>}
      </summary>
      {copies.length === 0 ? null : <p className="field-note">{t('field.above', { fields: list(copies.map(field => field.label)) })}</p>}
      <Rows code={noun.code} fields={own} {...rest} />
    </details>
  )
})
NounTable.displayName = 'NounTable'
