import type { ReactNode } from 'react'
import { useRead } from '../calls.ts'
import type { MySignup } from '../wire.ts'
import { useSearchParams } from './address.ts'
import { SelectField } from './field.tsx'
import { Load } from './load.tsx'

/** Own sign-ups that got as far as `wanted`; the one named in the address is shown, else the first that has what people `seek` here, else the first. */
export const ExamChoice = ({
  label,
  wanted,
  seek = () => false,
  empty,
  children,
}: {
  readonly label: string
  readonly wanted: (row: MySignup) => boolean
  readonly seek?: (row: MySignup) => boolean
  readonly empty: ReactNode
  readonly children: (row: MySignup) => ReactNode
}) => {
  const [params, setParams] = useSearchParams()
  const mine = useRead('myExamList', { current: 1, size: 50 })
  return (
    <Load query={mine} skeleton={[72, 240]}>
      {page => {
        const rows = page.records.filter(wanted)
        const shown = rows.find(row => row.examId === params.get('examId')) ?? rows.find(seek) ?? rows[0]
        return shown === undefined ? (
          empty
        ) : (
          <div className="p-stack p-gap-l">
            {rows.length > 1 && (
              <SelectField
                label={label}
                options={rows.map(row => ({ value: row.examId, label: row.examName }))}
                value={shown.examId}
                onChange={examId => setParams(examId === '' ? {} : { examId }, { replace: true })}
              />
            )}
            {children(shown)}
          </div>
        )
      }}
    </Load>
  )
}
