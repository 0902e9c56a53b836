import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useEffect, useState } from 'react'
import { instant, text } from '#contract/kernel/field.ts'
import type { Fields } from '#contract/kernel/resource.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { formFields } from '#web/resource/fields.ts'
import { FormDialog } from '#web/resource/form-dialog.tsx'
import type { InputProps } from '#web/resource/input-props.ts'
import type { Values } from '#web/resource/schema-form.tsx'
import { monitorTexts } from './texts.ts'

const typingMs = 300

/** Finds one account, of staff or of a candidate, by a part of its name. */
const AccountSelect = ({ value, onChange, ...rest }: InputProps) => {
  const t = useT(monitorTexts)
  const [typed, setTyped] = useState('')
  const [wanted, setWanted] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setWanted(typed), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const found = useQuery({
    queryKey: ['lockable', wanted],
    queryFn: () => api.call('GET /blade-system/user/page', { size: 20, status: 1, ...(wanted === '' ? {} : { account: wanted }) }),
    placeholderData: keepPreviousData,
  })
  return (
    <Select<string>
      {...rest}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={found.isFetching}
      placeholder={t('lock.choose')}
      options={(found.data?.records ?? []).map(row => ({ value: row.id, label: `${row.account} ${row.realName}` }))}
      {...(typeof value === 'string' && value !== '' ? { value } : {})}
      onChange={next => onChange?.(next)}
    />
  )
}

const label = (zh: string, en: string) => ({ zh, en })
const fields = {
  userId: text(20, { label: label('账号', 'Account'), required: true }),
  lockReason: text(200, { label: label('原因', 'Reason'), required: true, widget: 'textarea' }),
  lockBeginTime: instant({ label: label('开始时间', 'Locked from'), help: label('不填则立即锁定', 'Empty: at once') }),
  lockEndTime: instant({
    label: label('结束时间', 'Locked until'),
    help: label('不填则一直锁定，直到有人解锁', 'Empty: until somebody unlocks'),
    after: 'lockBeginTime',
    isEnd: true,
  }),
} satisfies Fields
const slots = { userId: AccountSelect }
const textOf = (value: unknown): string => String(value ?? '')

/** Locks an account at once or from a time on, for good or until a time. */
export const LockDialog = ({ onDone, onClose }: { readonly onDone: () => Promise<void>; readonly onClose: () => void }) => {
  const t = useT(monitorTexts)
  const save = async (values: Values) => {
    await api.call(
      'POST /blade-system/auth-lock/lock',
      {
        userId: textOf(values.userId),
        lockReason: textOf(values.lockReason),
        lockBeginTime: textOf(values.lockBeginTime),
        lockEndTime: textOf(values.lockEndTime),
      },
      { quiet: 'fields' },
    )
    notify('success', t('done.ok'))
    await onDone()
  }
  return (
    <FormDialog title={t('lock.add')} fields={formFields(fields)} initial={{}} mode="add" slots={slots} onSubmit={save} onClose={onClose} />
  )
}
