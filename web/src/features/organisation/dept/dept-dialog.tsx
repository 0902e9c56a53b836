import { useQueries, useQuery } from '@tanstack/react-query'
import { dictInt, int, text } from '#contract/kernel/field.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { FieldText } from '#web/resource/field-text.tsx'
import type { NamedField } from '#web/resource/fields.ts'
import { FormDialog } from '#web/resource/form-dialog.tsx'
import type { Values } from '#web/resource/schema-form.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { DeptSelect } from '../dept-select.tsx'
import { PeopleSelect } from '../people-select.tsx'
import { peopleTexts } from '../texts.ts'

export type OpenedDept = { readonly kind: 'add'; readonly parentId: string } | { readonly kind: 'edit' | 'view'; readonly id: string }
type Dept = ApiOutput<'GET /blade-system/dept/detail'>

const fields: readonly NamedField[] = Object.entries({
  parentId: text(20, { label: { zh: '上级部门', en: 'Parent department' } }),
  deptName: text(60, { label: { zh: '部门名称', en: 'Name' }, required: true }),
  fullName: text(120, { label: { zh: '部门全称', en: 'Full name' }, required: true }),
  deptCategory: dictInt('org_category', { label: { zh: '部门类型', en: 'Kind' }, required: true }),
  leaderId: text(400, { label: { zh: '负责人', en: 'Leaders' }, widget: 'input' }),
  sort: int({
    label: { zh: '排序', en: 'Order' },
    help: { zh: '不填则排在同级最后', en: 'Empty: after the last of its level' },
    min: 0,
    max: 9999,
  }),
  remark: text(255, { label: { zh: '备注', en: 'Remark' }, widget: 'textarea' }),
}).map(([name, field]) => ({ name, field }))

const useDept = (id: string | null) =>
  useQuery({
    queryKey: ['dept', id],
    queryFn: () => api.call('GET /blade-system/dept/detail', { id: id ?? '' }),
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
  })

const Leaders = ({ ids }: { readonly ids: string }) => {
  const t = useT()
  const people = useQueries({
    queries: ids
      .split(',')
      .filter(Boolean)
      .map(id => ({
        queryKey: ['people', 'one', id],
        queryFn: () => api.call('GET /blade-system/user/detail', { id }, { quiet: true }),
      })),
  })
  const names = people.flatMap(({ data }) => (data === undefined ? [] : [data.realName]))
  return <>{names.length === 0 ? '-' : names.join(t('list.separator'))}</>
}

/** Add, edit and view of a department. */
export const DeptDialog = ({
  opened,
  onClose,
  onDone,
}: {
  readonly opened: OpenedDept
  readonly onClose: () => void
  readonly onDone: () => Promise<unknown>
}) => {
  const t = useT(peopleTexts)
  const label = useLabel()
  const row = useDept(opened.kind === 'add' ? null : opened.id)
  const title = t(`dept.${opened.kind}`)
  const save = async (values: Values) => {
    const identity = row.data === undefined ? {} : { id: row.data.id, version: row.data.version }
    const body = { ...values, parentId: values['parentId'] ?? '', leaderId: values['leaderId'] ?? '', ...identity }
    await api.request({ method: 'POST', path: '/blade-system/dept/submit', body, quiet: 'fields' })
    notify('success', opened.kind === 'add' ? t('done.added') : t('done.updated'))
    await onDone()
  }
  const form = (initial: Values, self: string | undefined) => (
    <FormDialog
      title={title}
      fields={fields}
      initial={initial}
      mode={self === undefined ? 'add' : 'edit'}
      slots={{
        parentId: ({ field: _field, ...props }) => <DeptSelect {...props} without={self} />,
        leaderId: ({ field: _field, ...props }) => <PeopleSelect {...props} />,
      }}
      onSubmit={save}
      onClose={onClose}
    />
  )
  if (opened.kind === 'add') return form({ parentId: opened.parentId, deptCategory: 2 }, undefined)
  if (opened.kind === 'edit' && row.data !== undefined) return form({ ...row.data }, row.data.id)
  const shown = (of: Dept, { name, field }: NamedField) =>
    name === 'parentId' ? (
      of.parentName
    ) : name === 'leaderId' ? (
      <Leaders ids={of.leaderId} />
    ) : (
      <FieldText field={field} value={of[name as keyof Dept]} />
    )
  return (
    <ActionDialog title={title} onClose={onClose}>
      <Loaded query={row} skeletonRows={fields.length}>
        {of => <Facts items={fields.map(each => ({ key: each.name, label: label(each.field.label), value: shown(of, each) }))} />}
      </Loaded>
    </ActionDialog>
  )
}
