import { useQuery } from '@tanstack/react-query'
import { Input, Select } from 'antd'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { Row } from '#web/resource/fields.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import type { Cells } from '#web/resource/row-dialog.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { type Option, useDict } from '#web/resource/use-dict.ts'
import { clearByKey } from '#web/ui/clear-by-key.ts'
import { findOption } from '#web/ui/find-option.ts'
import { examTexts } from '../texts.ts'
import { codesOf, lowestOf, namesOf, typedOf, wordsOf } from './condition-words.ts'

/** The papers of an examination as they are chosen for a post. */
const usePapers = (examId: string | null): readonly Option[] => {
  const { data } = useQuery({
    queryKey: ['exam-papers', examId],
    queryFn: ({ signal }) =>
      api.request<readonly { readonly itemCode: string; readonly itemName: string }[]>({
        method: 'GET',
        path: '/blade-exam/examination/getExamItems',
        query: { examId },
        signal,
      }),
    enabled: examId !== null,
  })
  return (data ?? []).map(paper => ({ value: paper.itemCode, label: `${paper.itemCode} ${paper.itemName}` }))
}

const Many = ({
  id,
  value,
  onChange,
  options,
  placeholder,
}: InputProps & { readonly options: readonly Option[]; readonly placeholder: string }) => (
  <Select<string[]>
    {...(id === undefined ? {} : { id })}
    mode="multiple"
    allowClear
    showSearch={{ filterOption: findOption }}
    placeholder={placeholder}
    options={[...options]}
    value={namesOf(value)}
    onChange={next => onChange?.(next)}
  />
)
const ManyOfDict = ({ dict, ...props }: InputProps & { readonly dict: string }) => {
  const t = useT(examTexts)
  return <Many {...props} options={useDict(dict)} placeholder={t('post.any')} />
}
const ManyPapers = ({ examId, ...props }: InputProps & { readonly examId: string | null }) => {
  const t = useT(examTexts)
  return <Many {...props} options={usePapers(examId)} placeholder={t('post.allPapers')} />
}

/** The lowest that is enough; a list out of the workbook stays as it is until another is chosen. */
const Lowest = ({ id, value, onChange, dict }: InputProps & { readonly dict: string }) => {
  const t = useT(examTexts)
  const options = useDict(dict)
  return (
    <Select<string>
      {...(id === undefined ? {} : { id })}
      allowClear
      onKeyDown={clearByKey(() => onChange?.(null))}
      placeholder={t('post.any')}
      options={options.map(option => ({ value: option.value, label: t('post.orAbove', { name: option.label }) }))}
      value={lowestOf(value)}
      onChange={next => onChange?.(next === undefined ? null : { min: next })}
    />
  )
}

/** A condition that is one line of text; the server reads it as it reads the workbook's cell. */
const Line = ({ id, value, onChange, shown, max }: InputProps & { readonly shown: (value: unknown) => string; readonly max: number }) => {
  const t = useT(examTexts)
  return (
    <Input
      {...(id === undefined ? {} : { id })}
      maxLength={max}
      placeholder={t('post.any')}
      value={shown(value)}
      onChange={event => onChange?.(event.target.value)}
    />
  )
}

const lowest = { educations: 'education', degrees: 'degree', title: 'title' } as const
const many = { political: 'political', cert: 'cert' } as const

const Words = ({ value, dict }: { readonly value: unknown; readonly dict: string }) => {
  const t = useT(examTexts)
  const options = useDict(dict)
  const name = (key: string) => options.find(option => option.value === key)?.label ?? key
  return <>{wordsOf(value, name, at => t('post.orAbove', { name: at })) || t('post.any')}</>
}
const PaperNames = ({ value, examId }: { readonly value: unknown; readonly examId: string | null }) => {
  const t = useT(examTexts)
  const papers = usePapers(examId)
  return (
    <>
      {wordsOf(
        value,
        code => papers.find(paper => paper.value === code)?.label ?? code,
        at => at,
      ) || t('post.allPapers')}
    </>
  )
}
const Plain = ({ value }: { readonly value: unknown }) => {
  const t = useT(examTexts)
  return (
    <>
      {wordsOf(
        value,
        name => name,
        at => at,
      ) || t('post.any')}
    </>
  )
}

/** Controls for the conditions that are lists and thresholds on the wire. */
export const conditionInputs = (examId: string | null): InputSlots => ({
  itemCodes: props => <ManyPapers {...props} examId={examId} />,
  majors: props => <Line {...props} shown={codesOf} max={500} />,
  hukou: props => <Line {...props} shown={typedOf} max={60} />,
  ...Object.fromEntries(Object.entries(lowest).map(([name, dict]) => [name, (props: InputProps) => <Lowest {...props} dict={dict} />])),
  ...Object.fromEntries(Object.entries(many).map(([name, dict]) => [name, (props: InputProps) => <ManyOfDict {...props} dict={dict} />])),
})
/** The same conditions in words. */
export const conditionCells = (examId: string | null): Cells => ({
  itemCodes: (row: Row) => <PaperNames value={row.itemCodes} examId={examId} />,
  ...Object.fromEntries(
    Object.entries({ ...lowest, ...many }).map(([name, dict]) => [name, (row: Row) => <Words value={row[name]} dict={dict} />]),
  ),
  majors: (row: Row) => <Plain value={row.majors} />,
  hukou: (row: Row) => <Plain value={row.hukou} />,
})
