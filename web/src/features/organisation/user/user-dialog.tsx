import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { date, dictInt, flag, text } from '#contract/kernel/field.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { encrypt } from '#web/kernel/cipher.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan, useFieldLevels } from '#web/kernel/permission.ts'
import type { NamedField } from '#web/resource/fields.ts'
import { FormDialog } from '#web/resource/form-dialog.tsx'
import type { FormSection, Values } from '#web/resource/schema-form.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { sendAsking } from '#web/ui/ask-doubts.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { DeptSelect } from '../dept-select.tsx'
import { PeopleSelect } from '../people-select.tsx'
import { changeTexts } from './change-texts.ts'
import { KindSelect, PostSelect, RoleSelect } from './choices.tsx'
import { type Ending, LeaveDialog } from './held-work.tsx'
import { missingDuty } from './missing-duty.ts'
import type { OneTime } from './one-time-dialog.tsx'
import { userTexts } from './texts.ts'

export type OpenedUser = { readonly kind: 'add'; readonly deptId: string } | { readonly kind: 'edit'; readonly id: string }
/** A question about work that a change ends. The first answer counts. */
interface Asked {
  readonly of: Ending
  readonly what: string
  readonly answer: (handTo: string | undefined) => void
}
type User = ApiOutput<'GET /blade-system/user/detail'>

const first = {
  account: text(60, {
    label: { zh: '账号', en: 'Account' },
    required: true,
    immutable: true,
    pattern: '^[A-Za-z0-9_.@-]{4,60}$',
    help: { zh: '4 至 60 位字母、数字或 _ . @ -', en: '4 to 60 letters, digits or _ . @ -' },
  }),
  realName: text(50, { label: { zh: '姓名', en: 'Name' }, required: true }),
  roleId: text(4000, {
    label: { zh: '角色', en: 'Roles' },
    widget: 'input',
    help: {
      zh: '决定能打开的菜单；没有角色的账号登录后什么也打不开',
      en: 'Decide what can be opened; an account without a role opens nothing',
    },
  }),
  deptId: text(4000, { label: { zh: '部门', en: 'Departments' }, widget: 'input' }),
  userCode: text(20, {
    label: { zh: '单位编码', en: 'Unit code' },
    help: { zh: '用人单位、考点、院校人员填写', en: 'For people of hiring units, sites and schools' },
  }),
  phone: text(11, { label: { zh: '手机', en: 'Mobile' } }),
}
const more = {
  userType: text(2, { label: { zh: '用户平台', en: 'Kind of user' }, required: true }),
  name: text(60, { label: { zh: '昵称', en: 'Nick name' } }),
  email: text(120, { label: { zh: '邮箱', en: 'E-mail' } }),
  sex: dictInt('sex', { label: { zh: '性别', en: 'Sex' } }),
  birthday: date({ label: { zh: '出生日期', en: 'Birthday' } }),
  code: text(40, { label: { zh: '用户编号', en: 'Number' } }),
  postId: text(4000, { label: { zh: '职务', en: 'Posts' }, widget: 'input' }),
  leaderId: text(4000, { label: { zh: '上级', en: 'Reports to' }, widget: 'input' }),
  isLeader: flag({ label: { zh: '部门负责人', en: 'Leads the department' } }),
}
/** Of a change of name or phone of an account in use. */
const document = text(200, {
  label: { zh: '当面出示的证件', en: 'Document shown in person' },
  help: {
    zh: '仅变更姓名、手机号时填写；两人填写相同内容时立即生效',
    en: 'For a change of name or phone: it takes effect at once when both persons write the same',
  },
})
const all: readonly NamedField[] = Object.entries({ ...first, document, ...more }).map(([name, field]) => ({ name, field }))
/** What a new colleague needs stands on the first page; the rest is rarely asked for. */
const sections: readonly FormSection[] = [
  { key: 'first', label: { zh: '账号与职责', en: 'Account and duties' }, fields: [...Object.keys(first), 'document'] },
  { key: 'more', label: { zh: '更多信息', en: 'More' }, fields: Object.keys(more) },
]

const initialOf = (user: User): Values => ({ ...user, phone: null, sex: user.sex === -1 ? null : user.sex })

/** Add and edit of a user. A new user's one-time password goes to `onMade`. */
export const UserDialog = ({
  opened,
  onClose,
  onDone,
  onMade,
}: {
  readonly opened: OpenedUser
  readonly onClose: () => void
  readonly onDone: () => void
  readonly onMade: (made: OneTime) => void
}) => {
  const t = useT(userTexts)
  const c = useT(changeTexts)
  const can = useCan()
  const id = opened.kind === 'add' ? null : opened.id
  const user = useQuery({
    queryKey: ['user', id],
    queryFn: () => api.call('GET /blade-system/user/detail', { id: id ?? '' }),
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
  })
  const mayRole = can('user_role')
  const [asked, setAsked] = useState<Asked | null>(null)
  const levelOf = useFieldLevels('user')
  const mine = all.filter(({ name }) => (mayRole || name !== 'roleId') && (id !== null || name !== 'document'))
  // Nobody changes what they do not see in full.
  const fields = id === null ? mine : mine.filter(({ name }) => name === 'document' || levelOf(name) === 'full')
  /** Asked before the account is saved: whoever has it would log in and find nothing. */
  const isMeant = async (values: Values): Promise<boolean> => {
    const before = user.data
    // What stays as it was has been asked about already.
    const isSame =
      before !== undefined && (before.roleId ?? '') === (values['roleId'] ?? '') && (before.userCode ?? '') === (values['userCode'] ?? '')
    if (isSame) return true
    const roles = mayRole ? await api.call('GET /blade-system/user/role-choices', {}) : []
    const missing = missingDuty({ ...before, ...values }, roles)
    if (missing === null) return true
    const ok = t('user.noRole.ok')
    return missing.kind === 'noCode'
      ? confirm({ title: t('user.noCode'), text: t('user.noCode.text', { role: missing.role }), ok })
      : confirm({ title: t('user.noRole'), text: t(mayRole ? 'user.noRole.text' : 'user.noRole.others'), ok })
  }
  /** Asked where the new roles or departments end work of theirs. @returns who takes it over, empty for nobody; undefined: nothing is saved */
  const successorFor = async (values: Values): Promise<string | undefined> => {
    const before = user.data
    if (before === undefined) return ''
    const [roleIds, deptId] = [String(values['roleId'] ?? before.roleId), String(values['deptId'] ?? '')]
    const [isRole, isMoved] = [mayRole && roleIds !== before.roleId, deptId !== before.deptId]
    if (!(isRole || isMoved)) return ''
    const of: Ending = {
      ...{ userIds: before.id, act: isMoved ? 'move' : 'roles' },
      ...(isRole ? { roleIds } : {}),
      ...(isMoved ? { deptId } : {}),
    }
    const { people } = await api.call('GET /blade-system/user/holdings', of)
    if (!people.some(({ work }) => work.some(({ ends }) => ends > 0))) return ''
    return new Promise(answer => setAsked({ of, what: before.realName, answer }))
  }
  const save = async (values: Values) => {
    if (!(await isMeant(values))) return false
    const handTo = await successorFor(values)
    if (handTo === undefined) return false
    const { phone, document: shown, ...rest } = values
    const typed = typeof phone === 'string' ? phone : ''
    const identity = user.data === undefined ? {} : { id: user.data.id, version: user.data.version }
    const body = async () => ({
      ...rest,
      userType: Number(rest['userType'] ?? 1),
      isLeader: Number(rest['isLeader'] ?? 0),
      ...identity,
      ...(typeof shown === 'string' && shown.trim() !== '' ? { document: shown.trim() } : {}),
      ...(handTo === '' ? {} : { handTo }),
      // A ciphertext is good for one try (decision 2.11).
      ...(typed === '' ? {} : { phone: await encrypt(typed) }),
    })
    const saved = await sendAsking((sure, options) =>
      api.request<ApiOutput<'POST /blade-system/user/submit'>>({
        ...{ method: 'POST', path: '/blade-system/user/submit' },
        body: async () => ({ ...(await body()), ...sure }),
        ...options,
      }),
    )
    notify('success', saved.waiting ?? (user.data === undefined ? t('done.added') : t('done.updated')))
    onDone()
    if (saved.oneTime !== undefined) onMade(saved.oneTime)
  }
  /** What a change of the account's name or phone takes, beside the field. */
  const withHelp = (one: NamedField): NamedField => {
    if (id === null || (one.name !== 'phone' && one.name !== 'realName')) return one
    const kept = one.name === 'phone' && user.data?.phone ? [t('phone.keep', { phone: user.data.phone })] : []
    const help = [...kept, c('change.help')].join(t('help.between'))
    return { ...one, field: { ...one.field, help: { zh: help, en: help } } }
  }
  const form = (initial: Values, mode: 'add' | 'edit') => (
    <FormDialog
      title={t(`user.${mode}`)}
      fields={fields.map(withHelp)}
      initial={initial}
      mode={mode}
      sections={sections}
      slots={{
        userType: ({ field: _field, ...props }) => <KindSelect {...props} disabled={mode === 'edit'} />,
        roleId: ({ field: _field, ...props }) => <RoleSelect {...props} />,
        deptId: ({ field: _field, ...props }) => <DeptSelect {...props} multiple />,
        postId: ({ field: _field, ...props }) => <PostSelect {...props} />,
        leaderId: ({ field: _field, ...props }) => <PeopleSelect {...props} />,
      }}
      onSubmit={save}
      onClose={onClose}
    />
  )
  if (opened.kind === 'add') return form({ userType: '1', deptId: opened.deptId, isLeader: 0 }, 'add')
  if (user.data !== undefined)
    return (
      <>
        {form({ ...initialOf(user.data), userType: String(user.data.userType) }, 'edit')}
        {asked === null ? null : (
          <LeaveDialog
            title={t('user.work.ok')}
            lead={t('user.work.lead', { what: asked.what })}
            of={asked.of}
            send={async chosen => {
              asked.answer(chosen)
              return true
            }}
            onClose={() => {
              asked.answer(undefined)
              setAsked(null)
            }}
          />
        )}
      </>
    )
  return (
    <ActionDialog title={t('user.edit')} size="two" onClose={onClose}>
      <Loaded query={user} skeletonRows={6}>
        {() => null}
      </Loaded>
    </ActionDialog>
  )
}
