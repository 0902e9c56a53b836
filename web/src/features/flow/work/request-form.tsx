import { Form } from 'antd'
import { type ReactNode, useState } from 'react'
import { text } from '#contract/kernel/field.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { notify } from '#web/kernel/notify.ts'
import type { NamedField } from '#web/resource/fields.ts'
import { type InputSlots, SchemaForm, showFieldErrors, type Values } from '#web/resource/schema-form.tsx'
import { usePage } from '#web/shell/page-context.tsx'
import { useUnsaved } from '#web/ui/unsaved.ts'

export const titleField: NamedField = {
  name: 'title',
  field: text(100, {
    label: { zh: '标题', en: 'Title' },
    required: true,
    help: {
      zh: '让办理人一眼看出是什么事，例如“采购血压计 20 台”',
      en: 'What it is about at one glance, such as “20 blood pressure monitors”',
    },
  }),
}

/** A form on a page of its own that is sent once; what is wrong stands at its field, what was typed stays. */
export const RequestForm = ({
  fields,
  initial,
  slots,
  submit,
  send,
  said,
  beside,
}: {
  readonly fields: readonly NamedField[]
  readonly initial: Values
  readonly slots?: InputSlots
  /** Word of the button. */
  readonly submit: string
  readonly send: (values: Values) => Promise<void>
  /** What follows from the values as they are entered. */
  readonly said?: (values: Values) => string
  /** Other buttons, before the one that sends it. */
  readonly beside?: ReactNode
}) => {
  const { path } = usePage()
  const [form] = Form.useForm<Values>()
  const entered = Form.useWatch([], form)
  const [busy, setBusy] = useState(false)
  const [changed, setChanged] = useState(false)
  useUnsaved(path, () => changed)
  const run = async (values: Values) => {
    if (busy) return
    setBusy(true)
    try {
      await send(values)
      setChanged(false)
    } catch (error) {
      if (!isApiError(error)) throw error
      const known = fields.map(({ name }) => name)
      // A value of a process is named `values.amount`, its field `amount`.
      const problems = error.fields.map(problem => ({ ...problem, field: problem.field.replace(/^values\./, '') }))
      const all = showFieldErrors(form, problems, known)
      if (!all && problems.length > 0) notify('error', problems.find(problem => !known.includes(problem.field))?.msg ?? error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <SchemaForm
        form={form}
        fields={fields}
        initial={initial}
        mode="add"
        slots={slots}
        onFinish={values => void run(values)}
        onChange={() => setChanged(true)}
      />
      {said === undefined ? null : (
        <p className="flow-said" role="status">
          {said(entered ?? initial)}
        </p>
      )}
      <div className="form-footer">
        {beside}
        <button type="button" className="button button-primary" aria-disabled={busy} onClick={() => form.submit()}>
          {submit}
        </button>
      </div>
    </>
  )
}
