import { Form } from 'antd'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { isApiError } from '../kernel/api-error.ts'
import { useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { Dialog } from '../ui/modal.tsx'
import { formSize, type NamedField, toSubmit } from './fields.ts'
import { type FormSection, type InputSlots, SchemaForm, showFieldErrors, type Values } from './schema-form.tsx'

interface Props {
  readonly title: string
  readonly fields: readonly NamedField[]
  /** Null while it is on the way: the window is there already, with `waiting` in the place of the form. */
  readonly initial: Values | null
  readonly waiting?: ReactNode
  readonly mode: 'add' | 'edit'
  readonly slots?: InputSlots | undefined
  /** Tabs of the form; fields in none of them stand in the first. */
  readonly sections?: readonly FormSection[] | undefined
  /** Sends the values, with `quiet: 'fields'`; what it throws decides about the texts under the fields. False: not sent, the form stays. */
  readonly onSubmit: (values: Values) => Promise<unknown>
  readonly onClose: () => void
}

/** A form in a dialog: asks before changes are lost, sends once, shows the server's texts at their fields. */
export const FormDialog = ({ title, fields, initial, waiting, mode, slots, sections, onSubmit, onClose }: Props) => {
  const t = useT()
  const [form] = Form.useForm<Values>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<readonly string[]>([])
  const changed = useRef(false)
  const hasChanges = useCallback(() => changed.current, [])
  const send = async (values: Values) => {
    if (busy) return
    setBusy(true)
    try {
      if ((await onSubmit(toSubmit(fields, values))) === false) return
      changed.current = false
      onClose()
    } catch (error) {
      if (!isApiError(error)) throw error
      const known = fields.map(({ name }) => name)
      const all = showFieldErrors(form, error.fields, known)
      setRefused(error.fields.map(problem => problem.field))
      if (!all) notify('error', error.fields.find(problem => !known.includes(problem.field))?.msg ?? error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      size={formSize(fields.length, sections !== undefined)}
      onClose={onClose}
      hasChanges={hasChanges}
      isWaiting={initial === null}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.cancel')}
          </button>
          {/* Not disabled while it sends: the keyboard would fall out of the window. */}
          <button
            type="button"
            className="button button-primary"
            aria-disabled={busy || initial === null}
            onClick={() => {
              if (initial !== null) form.submit()
            }}
          >
            {t('action.save')}
          </button>
        </div>
      )}
    >
      {initial === null ? (
        waiting
      ) : (
        <SchemaForm
          form={form}
          fields={fields}
          initial={initial}
          mode={mode}
          slots={slots}
          sections={sections}
          refused={refused}
          onFinish={values => void send(values)}
          onChange={() => {
            changed.current = true
          }}
        />
      )}
    </Dialog>
  )
}
