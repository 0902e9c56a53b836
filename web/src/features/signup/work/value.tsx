import { useT } from '#web/kernel/i18n/index.ts'
import { columnsOf, type FormField, rowsOf, textOf, wordsOf } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { Place } from './place.tsx'

/** An answer in words; rows of a table as a small table. `words` is the server's own wording where it has one. */
export const AnswerValue = ({
  field,
  value,
  words,
  link,
}: {
  readonly field: FormField | undefined
  readonly value: unknown
  readonly words?: string | undefined
  /** Opens an answer that is a picture. */
  readonly link?: string | undefined
}) => {
  const t = useT(reviewTexts)
  const rows = rowsOf(value)
  if (field !== undefined && field.fieldType === 'table' && rows.length > 0) {
    const columns = columnsOf(field)
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      <div className="answer-table" role="group" aria-label={field.itemLabel} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map(column => (
                <th key={column.key} scope="col">
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of an answer have no other name
              <tr key={index}>
                {columns.map(column => (
                  <td key={column.key}>{wordsOf(column.options, row[column.key]) || '-'}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )
  }
  if (field?.fieldType === 'region' && typeof value === 'string' && /^\d{6}$/.test(value)) return <Place code={value} />
  const own = wordsOf(field?.options, value)
  const text = words || own
  if (text === '' || (text === null && rows.length === 0)) return <span className="answer-empty">{t('answers.empty')}</span>
  if (field?.fieldType === 'image' || field?.fieldType === 'signature')
    return link === undefined ? (
      t('answers.given')
    ) : (
      <a href={link} target="_blank" rel="noreferrer">
        <img className="answer-picture" src={link} alt={t('answers.picture', { name: field.itemLabel })} />
      </a>
    )
  return <>{text ?? textOf(field, value)}</>
}
