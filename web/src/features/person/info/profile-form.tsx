import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import { tidyLine } from '#contract/kernel/tidy-text.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { encrypt, prepareCipher } from '#web/kernel/cipher.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { changeUser } from '#web/kernel/session-acts.ts'
import { meQuery } from '#web/shell/me.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Labelled } from '#web/ui/labelled.tsx'
import { accountTexts } from '../texts.ts'
import { AvatarEdit } from './avatar-edit.tsx'
import type { PhoneProof } from './phone-code.tsx'

const PhoneCode = lazy(async () => ({ default: (await import('./phone-code.tsx')).PhoneCode }))
const noProof: PhoneProof = { smsId: null, smsCode: '', first: '' }

export type Me = ApiOutput<'GET /blade-system/user/info'>
const fieldsOf = (me: Me) => ({ realName: me.realName, name: me.name, phone: me.phone, email: me.email })
type Values = ReturnType<typeof fieldsOf>
type Name = keyof Values
type Errors = Partial<Record<Name | 'smsCode', string>>
const names: readonly Name[] = ['realName', 'name', 'phone', 'email']

/** S3.08. The phone comes masked and travels only when it was changed. */
export const ProfileForm = ({ me, onChanges }: { readonly me: Me; readonly onChanges: (changed: boolean) => void }) => {
  const t = useT(accountTexts)
  const label = useLabel()
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<Values>(() => fieldsOf(me))
  const [errors, setErrors] = useSaid<Errors>({})
  const [{ smsId, smsCode, first: codeFirst }, setProof] = useState<PhoneProof>(noProof)
  const [busy, setBusy] = useState(false)
  const stored = fieldsOf(me)
  const phoneChanged = values.phone !== stored.phone
  const phone = checkMobile(values.phone)

  const set = (name: Name, value: string) => {
    const next = { ...values, [name]: value }
    setValues(next)
    setErrors(({ [name]: _mended, ...rest }) => rest)
    onChanges(names.some(each => next[each] !== stored[each]))
  }
  const store = async (input: () => Promise<Record<string, string>>) => {
    const changed = await api.call('POST /blade-system/user/update-info', input, { quiet: 'fields' })
    client.setQueryData(meQuery.queryKey, changed)
    changeUser({ avatar: changed.avatar, nickName: changed.name || changed.realName, realName: changed.realName })
    notify('success', t('done.ok'))
    return changed
  }
  const show = (found: Errors) => {
    setErrors(found)
    const first = names.find(name => found[name] !== undefined)
    form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found: Errors = {
      ...(tidyLine(values.realName) === '' ? { realName: t('form.required', { label: t('info.realName') }) } : {}),
      ...(phoneChanged && !phone.ok ? { phone: label(mobileMessages[phone.problem]) } : {}),
      ...(phoneChanged && smsCode !== '' && smsId === null ? { smsCode: codeFirst } : {}),
      ...(values.email === '' || /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(values.email) ? {} : { email: t('info.email.wrong') }),
    }
    show(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      const changed = await store(async () => ({
        realName: tidyLine(values.realName),
        name: tidyLine(values.name),
        email: foldWidth(values.email),
        ...(phoneChanged ? { phone: await encrypt(values.phone) } : {}),
        ...(phoneChanged && smsCode !== '' ? { smsId: smsId ?? '', smsCode } : {}),
      }))
      setValues(fieldsOf(changed))
      setProof(noProof)
      onChanges(false)
    } catch (error) {
      if (isApiError(error)) show(Object.fromEntries(error.fields.map(({ field, msg }) => [field, msg])))
    } finally {
      setBusy(false)
    }
  }
  const text = (name: Name, type: string, autoComplete: string, maxLength: number) => (
    <Labelled label={t(`info.${name}`)} error={errors[name]}>
      {id => (
        <input
          id={id}
          name={name}
          className="input"
          type={type}
          autoComplete={autoComplete}
          maxLength={maxLength}
          value={values[name]}
          onChange={event => set(name, event.target.value)}
          aria-invalid={errors[name] !== undefined}
        />
      )}
    </Labelled>
  )
  return (
    <>
      <AvatarEdit src={me.avatar} name={me.name || me.realName} onStore={async avatar => void (await store(async () => ({ avatar })))} />
      <div className="info-facts">
        <Facts
          items={[
            { key: 'account', label: t('info.account'), value: me.account },
            { key: 'role', label: t('info.role'), value: listOf(me.roleName.split(',')) },
          ]}
        />
      </div>
      <form ref={form} className="info-form" onSubmit={submit} onFocus={prepareCipher} noValidate>
        {text('realName', 'text', 'name', 60)}
        {text('name', 'text', 'nickname', 60)}
        <div>
          {text('phone', 'tel', 'tel-national', 20)}
          {stored.phone === '' ? null : <p className="info-help">{t('info.phone.help')}</p>}
        </div>
        {phoneChanged && phone.ok ? (
          <Suspense>
            <PhoneCode phone={values.phone} error={errors.smsCode} onProof={setProof} />
          </Suspense>
        ) : null}
        {text('email', 'email', 'email', 120)}
        <div>
          <button type="submit" className="button button-primary" disabled={busy}>
            {t('action.save')}
          </button>
        </div>
      </form>
    </>
  )
}
