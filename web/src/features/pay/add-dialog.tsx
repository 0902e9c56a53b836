import { instant, money, text } from '#contract/kernel/field.ts'
import type { Fields } from '#contract/kernel/resource.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { formFields } from '#web/resource/fields.ts'
import { FormDialog } from '#web/resource/form-dialog.tsx'
import type { InputProps } from '#web/resource/input-props.ts'
import type { InputSlots, Values } from '#web/resource/schema-form.tsx'
import { sendAsking } from '#web/ui/ask-doubts.ts'
import { payTexts } from './texts.ts'

interface Option {
  readonly value: string
  readonly label: string
}
const label = (zh: string, en: string) => ({ zh, en })
const fields = {
  examId: text(20, { label: label('考试', 'Examination'), required: true }),
  signNo: text(16, { label: label('报名序号', 'Sign-up number'), required: true }),
  name: text(50, { label: label('姓名', 'Name'), required: true, help: label('须与报名一致', 'As in the sign-up') }),
  payName: text(60, { label: label('费用名称', 'Fee'), required: true, help: label('考生看到的名称', 'What the candidate reads') }),
  amount: money({ label: label('应缴金额', 'Amount due'), required: true, min: 1 }),
  deadline: instant({
    label: label('缴费截止', 'Pay until'),
    help: label('不填则为考试的缴费结束时间', 'Empty: the end of payment of the examination'),
    isEnd: true,
  }),
  remark: text(200, { label: label('备注', 'Remark'), widget: 'textarea' }),
} satisfies Fields
const textOf = (value: unknown): string => String(value ?? '').trim()

/** One due that no rule of the examination makes (domain 5.5). */
export const AddDialog = ({
  exams,
  examId,
  onDone,
  onClose,
}: {
  readonly exams: readonly Option[]
  readonly examId: string | undefined
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const t = useT(payTexts)
  const slots: InputSlots = {
    examId: ({ value, onChange, id }: InputProps) => (
      <select
        {...(id === undefined ? {} : { id })}
        className="input"
        value={textOf(value)}
        onChange={event => onChange?.(event.target.value)}
      >
        <option value="">{t('due.add.exam')}</option>
        {exams.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    ),
  }
  const save = async (values: Values) => {
    const deadline = textOf(values.deadline)
    const input = {
      examId: textOf(values.examId),
      signNo: textOf(values.signNo),
      name: textOf(values.name),
      payName: textOf(values.payName),
      amount: Number(values.amount),
      remark: textOf(values.remark),
      ...(deadline === '' ? {} : { deadline }),
    }
    await sendAsking((sure, options) => api.call('POST /blade-examPay/exampay/submit', { ...input, ...sure }, options))
    notify('success', t('done.added'))
    onDone()
  }
  return (
    <FormDialog
      title={t('due.add')}
      fields={formFields(fields)}
      initial={examId === undefined ? {} : { examId }}
      mode="add"
      slots={slots}
      onSubmit={save}
      onClose={onClose}
    />
  )
}
