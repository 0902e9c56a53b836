import { useDeferredValue, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { useRead } from '../calls.ts'
import { TextField } from '../kit/field.tsx'
import { formTexts } from './texts.ts'

/** A school by name; choosing from the list brings its national code, a name that is not on it stays as typed. */
export const SchoolField = ({
  label,
  required,
  showOptional,
  error,
  help,
  name,
  value,
  onChange,
  onBlur,
}: {
  readonly label: string
  readonly required?: boolean
  readonly showOptional?: boolean
  readonly error?: string
  readonly help?: string
  readonly name: string
  readonly value: string
  readonly onChange: (name: string, code: string | null) => void
  readonly onBlur?: () => void
}) => {
  const t = useT(formTexts)
  const [typing, setTyping] = useState(false)
  const keyword = useDeferredValue(value.trim())
  const schools = useRead('schools', { keyword }, { enabled: typing && keyword.length >= 1, staleMs: 600_000 })
  const found = typing && keyword !== '' ? (schools.data ?? []) : []
  const isShared = (one: { schoolName: string }) => found.filter(other => other.schoolName === one.schoolName).length > 1
  return (
    <div className="p-stack p-gap-s">
      <TextField
        label={label}
        required={required}
        showOptional={showOptional}
        error={error}
        help={help ?? t('form.school.hint')}
        name={name}
        value={value}
        autoComplete="off"
        onChange={event => {
          setTyping(true)
          onChange(event.target.value, null)
        }}
        onBlur={onBlur}
      />
      {typing && keyword !== '' && schools.data !== undefined && found.length === 0 && (
        <p className="p-help" role="status">
          {t('form.school.none')}
        </p>
      )}
      {found.length > 0 && (
        <ul className="p-plain p-suggest" aria-label={t('form.school.list')}>
          {found.slice(0, 8).map(school => (
            <li key={school.schoolCode}>
              <button
                type="button"
                onClick={() => {
                  setTyping(false)
                  // The name that stands on the diploma stays; the code says which school it is today.
                  onChange(school.formerName === keyword ? keyword : school.schoolName, school.schoolCode)
                }}
              >
                {school.schoolName}{' '}
                <span className="p-dim p-small">
                  {[
                    ...(school.formerName === null ? [] : [t('form.school.former', { name: school.formerName })]),
                    school.province === school.city ? school.province : `${school.province}${school.city}`,
                    ...(isShared(school) ? [school.schoolCode] : []),
                  ].join(' · ')}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
