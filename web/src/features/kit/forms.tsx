import { Form } from 'antd'
import { useEffect, useState } from 'react'
import { date, dict, flag, instant, int, money, text } from '#contract/kernel/field.ts'
import type { Fields } from '#contract/kernel/resource.ts'
import { ApiError } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { formFields, type NamedField } from '#web/resource/fields.ts'
import { FormDialog } from '#web/resource/form-dialog.tsx'
import { type FormSection, SchemaForm, type Values } from '#web/resource/schema-form.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { Block } from './block.tsx'
import type { PartProps } from './parts.ts'
import { kitTexts } from './texts.ts'

const label = (zh: string, en: string) => ({ zh, en })
const declared: Fields = {
  name: text(20, { label: label('名称', 'Name'), required: true }),
  sex: dict('sex', { label: label('性别', 'Sex'), required: true }),
  birthday: date({ label: label('出生日期', 'Date of birth'), required: true }),
  count: int({
    label: label('招聘人数', 'Places'),
    required: true,
    min: 1,
    max: 99,
    help: label('1 至 99 的整数', 'A whole number from 1 to 99'),
  }),
  fee: money({ label: label('考试费', 'Fee') }),
  open: flag({ label: label('是否开放', 'Open') }),
  begin: instant({ label: label('报名开始时间', 'Sign-up begins') }),
  code: text(10, {
    label: label('岗位代码', 'Post code'),
    pattern: '^[A-Z]\\d{2}$',
    help: label('一个大写字母和两位数字', 'A capital letter and two digits'),
  }),
  address: text(60, { label: label('考点地址', 'Site address') }),
  phone: text(20, { label: label('咨询电话（工作日 8:30 至 17:00）', 'Telephone for questions on working days') }),
  contact: text(20, { label: label('联系人', 'Contact') }),
  site: text(20, { label: label('考点名称', 'Site') }),
  order: int({ label: label('排序', 'Order') }),
  remark: text(255, { label: label('备注', 'Remark'), widget: 'textarea' }),
  notice: text(20_000, { label: label('公告正文', 'Text of the notice'), widget: 'richtext' }),
}
const fields = formFields(declared)
const empty: Values = Object.fromEntries(fields.map(({ name }) => [name, null]))
const filled: Values = {
  ...empty,
  name: 'A',
  sex: '1',
  birthday: '1996-05-05',
  count: 3,
  fee: 4_500,
  open: 1,
  begin: '2026-11-20 09:00:00',
  code: 'A01',
}
const sections: readonly FormSection[] = [
  { key: 'main', label: label('基本信息', 'Main'), fields: ['name', 'sex', 'birthday', 'count', 'fee', 'open', 'remark'] },
  {
    key: 'more',
    label: label('报名与考点', 'Sign-up and site'),
    fields: ['begin', 'code', 'address', 'phone', 'contact', 'site', 'order'],
  },
]

/** A form in the page: empty, filled, with what is wrong, and in tabs. */
export const FormPart = ({ state }: PartProps) => {
  const t = useT(kitTexts)
  const [form] = Form.useForm<Values>()
  useEffect(() => {
    if (state === 'problems') form.validateFields().catch(() => {})
  }, [state, form])
  return (
    <Block title={t('part.form')}>
      <SchemaForm
        form={form}
        fields={fields}
        initial={state === 'add' ? empty : state === 'problems' ? { ...empty, count: 120, code: 'x' } : filled}
        mode={state === 'add' ? 'add' : 'edit'}
        sections={state === 'tabs' ? sections : undefined}
        onFinish={() => notify('success', t('done.ok'))}
      />
      <div className="form-footer">
        <button type="button" className="button button-primary" onClick={() => form.submit()}>
          {t('action.save')}
        </button>
      </div>
    </Block>
  )
}

const kinds = ['prompt', 'one', 'two', 'three', 'drawer', 'tabs', 'confirm', 'reason', 'read'] as const
type Kind = (typeof kinds)[number]
const counts: Partial<Record<Kind, number>> = { one: 4, two: 8, three: 12, drawer: 14, tabs: 14 }

const Prompt = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useT(kitTexts)
  const [value, setValue] = useState('')
  return (
    <ActionDialog
      size="prompt"
      title={t('dialog.prompt')}
      actions={[{ label: t('action.ok'), disabled: value === '', run: async () => true }]}
      onClose={onClose}
    >
      <LabelledInput label={t('prompt.label')} type="password" value={value} onChange={setValue} />
    </ActionDialog>
  )
}

const Opened = ({ kind, onClose }: { readonly kind: Kind; readonly onClose: () => void }) => {
  const t = useT(kitTexts)
  const count = counts[kind]
  const send = async (values: Values) => {
    // What a server says about a field that only it can judge.
    if (/占用|taken/i.test(String(values.name)))
      throw new ApiError({ code: 400, status: 400, message: t('taken'), data: { fields: [{ field: 'name', msg: t('taken') }] } })
    notify('success', t('done.added'))
  }
  if (count !== undefined) {
    const shown: readonly NamedField[] = kind === 'tabs' ? fields : [...fields].slice(0, count)
    return (
      <FormDialog
        title={t(`dialog.${kind}`)}
        fields={shown}
        initial={empty}
        mode="add"
        sections={kind === 'tabs' ? sections : undefined}
        onSubmit={send}
        onClose={onClose}
      />
    )
  }
  if (kind === 'reason')
    return (
      <ReasonDialog
        title={t('dialog.reason')}
        lead={t('reason.lead')}
        label={t('reason.label')}
        missing={t('reason.missing')}
        ok={t('action.ok')}
        send={async () => notify('success', t('done.ok'))}
        onClose={onClose}
      />
    )
  if (kind === 'prompt') return <Prompt onClose={onClose} />
  return (
    <ActionDialog title={t('dialog.read')} onClose={onClose}>
      <Facts
        boxed
        items={[
          { key: 'code', label: t('code'), value: 'A01' },
          { key: 'time', label: t('time'), value: '2026-11-20 09:00' },
        ]}
      />
    </ActionDialog>
  )
}

/** Every kind of dialog, opened by its button. */
export const DialogPart = () => {
  const t = useT(kitTexts)
  const [kind, setKind] = useState<Kind | null>(null)
  const open = async (next: Kind) => {
    if (next !== 'confirm') return setKind(next)
    const yes = await confirm({ title: t('action.delete'), text: t('delete.ask', { what: 'A01' }), ok: t('action.delete'), danger: true })
    if (yes) notify('success', t('done.deleted'))
  }
  return (
    <Block title={t('part.dialog')}>
      <p>{t('takenHint')}</p>
      <div className="kit-row">
        {kinds.map(each => (
          <button key={each} type="button" className="button" data-dialog={each} onClick={() => void open(each)}>
            {t('open', { what: t(`dialog.${each}`) })}
          </button>
        ))}
      </div>
      {kind === null ? null : <Opened kind={kind} onClose={() => setKind(null)} />}
    </Block>
  )
}
