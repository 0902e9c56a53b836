import { useMemo } from 'react'
import { isPassportNumber } from '#contract/person/id-card.ts'
import { countryCodes, countryName, type PassportPart, passportParts, type SaidDocument } from '#contract/person/passport.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { todayOf } from '../form/model.ts'
import { SelectField, TextField, Tick } from '../kit/field.tsx'
import { passportTexts } from './passport-texts.ts'

/** What is said of a passport beside its number, as it is typed. */
export type PassportValues = Readonly<Record<PassportPart, string>> & { readonly idCardType: string }
export const noPassport: PassportValues = { idCardType: '', nationality: '', birthday: '', sex: '' }

/** What was said of the document; whoever has changed the number to that of a card says nothing of a passport. */
export const saidOf = (idCard: string, values: PassportValues): SaidDocument =>
  isPassportNumber(idCard) && values.idCardType === '4' ? { idCard, ...values } : { idCard }

/** The same as a call sends it beside the number, with no more than `parts`. */
export const passportInput = (
  idCard: string,
  values: PassportValues,
  parts: readonly PassportPart[] = passportParts,
): Partial<Record<PassportPart | 'idCardType', string>> => {
  const said = saidOf(idCard, values)
  return said.idCardType === undefined ? {} : { idCardType: '4', ...Object.fromEntries(parts.map(part => [part, values[part]])) }
}

/**
 * Only a number that is none of an id card leads to the question whether it is a passport's, and only a passport to what its number does not say.
 */
export const PassportFields = ({
  idCard,
  values,
  errors,
  parts = passportParts,
  onChange,
}: {
  readonly idCard: string
  readonly values: PassportValues
  readonly errors: Partial<Record<string, string>>
  readonly parts?: readonly PassportPart[]
  readonly onChange: (key: keyof PassportValues, value: string) => void
}) => {
  const [t, lang] = [useT(passportTexts), useLang()]
  const countries = useMemo(() => {
    const named = countryCodes.map(value => ({ value, label: countryName(value, lang) }))
    return named.sort((a, b) => a.label.localeCompare(b.label, lang === 'zh' ? 'zh-Hans-CN' : 'en'))
  }, [lang])
  if (!isPassportNumber(idCard)) return null
  const common = (key: PassportPart) => ({
    label: t(`passport.${key}`),
    name: key,
    required: true,
    value: values[key],
    error: errors[key] ?? null,
  })
  const field = (key: PassportPart) => {
    if (key === 'birthday')
      return (
        <TextField
          key={key}
          type="date"
          min="1900-01-01"
          max={todayOf(serverNow())}
          autoComplete="bday"
          {...common(key)}
          onChange={event => onChange(key, event.target.value)}
        />
      )
    const options = key === 'nationality' ? countries : (['1', '2'] as const).map(value => ({ value, label: t(`passport.sex.${value}`) }))
    return <SelectField key={key} options={options} {...common(key)} onChange={value => onChange(key, value)} />
  }
  const isPassport = values.idCardType === '4'
  return (
    <>
      <div className="p-field is-wide">
        <Tick name="idCardType" checked={isPassport} onChange={ticked => onChange('idCardType', ticked ? '4' : '')}>
          {t('passport.ask')}
        </Tick>
        {isPassport && parts.length > 1 && <p className="p-help">{t('passport.help')}</p>}
      </div>
      {isPassport && parts.map(field)}
    </>
  )
}
