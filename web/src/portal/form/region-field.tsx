import type { RegionLevels } from '#contract/signup/region.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useRead } from '../calls.ts'
import { FieldSet, SelectField } from '../kit/field.tsx'
import { formTexts } from './texts.ts'

const useRegions = (code: string | null) => {
  const regions = useRead('regions', { code: code ?? '' }, { enabled: code !== null, staleMs: 3_600_000 })
  return (regions.data ?? []).map(region => ({ value: region.code, label: region.name }))
}

/** Province, city and district, each list asked for when the one above is chosen (GB/T 2260 codes). */
export const RegionField = ({
  label,
  required,
  showOptional,
  error,
  help,
  province,
  city,
  area,
  onChange,
  onBlur,
}: {
  readonly label: string
  readonly required?: boolean
  readonly showOptional?: boolean
  readonly error?: string
  readonly help?: string
  readonly province: string
  readonly city: string
  readonly area: string
  readonly onChange: (region: { province: string; city: string; area: string }) => void
  readonly onBlur?: () => void
}) => {
  const t = useT(formTexts)
  const provinces = useRegions('00')
  const cities = useRegions(province === '' ? null : province)
  const areas = useRegions(city === '' ? null : city)
  return (
    <FieldSet label={label} required={required} showOptional={showOptional} error={error} help={help}>
      <div className="p-regions">
        <SelectField
          label={<span className="p-small">{t('form.region.province')}</span>}
          noneText={t('form.region.none')}
          options={provinces}
          value={province}
          onChange={value => onChange({ province: value, city: '', area: '' })}
          onBlur={onBlur}
        />
        <SelectField
          label={<span className="p-small">{t('form.region.city')}</span>}
          noneText={t('form.region.none')}
          options={cities}
          value={city}
          disabled={province === ''}
          onChange={value => onChange({ province, city: value, area: '' })}
          onBlur={onBlur}
        />
        <SelectField
          label={<span className="p-small">{t('form.region.area')}</span>}
          noneText={t('form.region.none')}
          options={areas}
          value={area}
          disabled={city === ''}
          onChange={value => onChange({ province, city, area: value })}
          onBlur={onBlur}
        />
      </div>
    </FieldSet>
  )
}

/** The names of a region, to read where it cannot be changed. */
export const RegionText = ({ province, city, area }: RegionLevels) => {
  const lists = [useRegions('00'), useRegions(province === '' ? null : province), useRegions(city === '' ? null : city)]
  const codes = [province, city, area].filter(code => code !== '')
  // Until a list has come, and for codes that are no more, the number stands.
  return codes.length === 0 ? '—' : codes.map((code, at) => lists[at]?.find(region => region.value === code)?.label ?? code).join(' ')
}
