import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { inSentence } from '#contract/kernel/label.ts'
import { type Resource, refNameOf } from '#contract/kernel/resource.ts'
import { api } from '../kernel/api.ts'
import { useLabel, useLang, useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { useFieldLevels } from '../kernel/permission.ts'
import { ActionDialog } from '../ui/action-dialog.tsx'
import { Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/states.tsx'
import { listKey } from './crud-page.tsx'
import { FieldText } from './field-text.tsx'
import { formFields, formSize, groupsOf, type NamedField, type Row, setValueOf, viewFields } from './fields.ts'
import { FormDialog } from './form-dialog.tsx'
import { RefText } from './ref-text.tsx'
import type { InputSlots, Values } from './schema-form.tsx'
import { resourceTexts } from './texts.ts'

export { DialogKit } from './dialog-kit.tsx'
export type Opened = { readonly kind: 'add' } | { readonly kind: 'edit' | 'view'; readonly id: string }
/** Asks before values are saved over a row, or as a new one (null). @returns whether to save */
export type BeforeSave = (row: Row | null, values: Values) => Promise<boolean>
export type Cells = Readonly<Record<string, (row: Row) => ReactNode>>

interface Props {
  readonly resource: Resource
  readonly opened: Opened
  readonly onClose: () => void
  readonly inputs?: InputSlots | undefined
  readonly cells?: Cells | undefined
  readonly beforeSave?: BeforeSave | undefined
}

let windows = 0
const useRow = (resource: Resource, id: string | null) => {
  // A window asks for its row itself: what the one before it had read may have been changed since, and the query lets go of it only a moment later.
  const [window] = useState(() => ++windows)
  return useQuery({
    queryKey: ['detail', resource.name, id, window],
    queryFn: () => api.request<Row>({ method: 'GET', path: `${resource.basePath}/detail`, query: { id } }),
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
  })
}

const initialOf = (resource: Resource, row: Row | null, fields: readonly NamedField[]): Values =>
  Object.fromEntries(
    fields.map(({ name, field }) => [name, row === null ? (field.default ?? null) : setValueOf(resource, field, row[name])]),
  )

/** Passwords among the values, encrypted as every password on the way. */
const sealedOf = async ({ fields }: Resource, values: Values): Promise<Values> => {
  const typed = Object.entries(values).filter(([name, value]) => fields[name]?.secret && typeof value === 'string' && value !== '')
  if (typed.length === 0) return {}
  const { encrypt } = await import('../kernel/cipher.ts')
  return Object.fromEntries(await Promise.all(typed.map(async ([name, value]) => [name, await encrypt(String(value))] as const)))
}

/** Add, edit and view of a plain noun in one dialog (S7.03, S7.05). */
export const RowDialog = ({ resource, opened, onClose, inputs, cells, beforeSave }: Props) => {
  const t = useT(resourceTexts)
  const label = useLabel()
  const client = useQueryClient()
  const row = useRow(resource, opened.kind === 'add' ? null : opened.id)
  const lang = useLang()
  const noun = label(resource.label)
  const title = t(`dialog.${opened.kind}`, { label: lang === 'en' ? inSentence(noun) : noun })
  const levelOf = useFieldLevels(resource.permission)
  const all = formFields(resource.fields, inputs)
  // An addition takes what somebody knows; a change takes only what they see.
  const fields = viewFields(resource, cells).filter(({ name }) => levelOf(name) !== 'hidden')
  // A password that stays as it is is not typed again.
  const open =
    opened.kind === 'add'
      ? all
      : all
          .filter(({ name }) => levelOf(name) === 'full')
          .map(({ name, field }) => ({ name, field: field.secret ? { ...field, required: false } : field }))
  const save = async (values: Values) => {
    if (beforeSave !== undefined && !(await beforeSave(row.data ?? null, values))) return false
    const identity =
      row.data === undefined ? {} : { id: row.data.id, ...(typeof row.data.version === 'number' ? { version: row.data.version } : {}) }
    const body = { ...values, ...(await sealedOf(resource, values)), ...identity }
    const saved = await api.request<{ readonly waiting?: string } | null>({
      method: 'POST',
      path: `${resource.basePath}/submit`,
      body,
      quiet: 'fields',
    })
    notify('success', saved?.waiting ?? (opened.kind === 'add' ? t('done.added') : t('done.updated')))
    await client.invalidateQueries({ queryKey: listKey(resource.name) })
    return true
  }
  const rows = Math.min(6, fields.length)
  const shownOf = (of: Row, { name, field }: NamedField) => {
    const drawn = cells?.[name]?.(of)
    if (drawn !== undefined) return drawn
    if (field.ref === undefined) return <FieldText field={field} value={setValueOf(resource, field, of[name])} />
    const told = of[refNameOf(name)]
    return field.list === false ? of[name] ? <RefText field={field} id={String(of[name])} /> : '' : String(told ?? '')
  }
  if (opened.kind !== 'view')
    return (
      <FormDialog
        title={title}
        fields={open}
        initial={opened.kind === 'edit' && row.data === undefined ? null : initialOf(resource, row.data ?? null, all)}
        waiting={
          <Loaded query={row} skeletonRows={rows}>
            {() => null}
          </Loaded>
        }
        mode={opened.kind}
        slots={inputs}
        sections={resource.groups}
        onSubmit={save}
        onClose={onClose}
      />
    )
  return (
    <ActionDialog title={title} size={formSize(fields.length, resource.groups !== undefined)} onClose={onClose}>
      <Loaded query={row} skeletonRows={rows}>
        {of => {
          const items = (shown: readonly NamedField[]) =>
            shown.map(each => ({ key: each.name, label: label(each.field.label), value: shownOf(of, each) }))
          const times = (['createTime', 'updateTime'] as const).flatMap(name =>
            typeof of[name] === 'string' && of[name] !== '' ? [{ key: name, label: t(`row.${name}`), value: String(of[name]) }] : [],
          )
          return groupsOf(resource, fields).map((group, at, all) => (
            <Fragment key={group.key}>
              {group.label === undefined ? null : <h3>{label(group.label)}</h3>}
              <Facts items={[...items(group.fields), ...(at === all.length - 1 ? times : [])]} />
            </Fragment>
          ))
        }}
      </Loaded>
    </ActionDialog>
  )
}
