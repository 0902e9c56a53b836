import { type FormEvent, useRef, useState } from 'react'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import { tidyLine } from '#contract/kernel/tidy-text.ts'
import { type ApiInput, type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { changeUser } from '#web/kernel/session-acts.ts'
import { refresh } from '../data/answers.ts'
import { Card } from '../kit/card.tsx'
import { TextField } from '../kit/field.tsx'
import { Callout, Facts } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import { AvatarEdit } from './avatar-edit.tsx'
import { meTexts } from './me-texts.ts'
import { accountTexts } from './texts.ts'

type Me = ApiOutput<'GET /blade-system/user/info'>
type Name = 'name' | 'email'

const store = async (input: ApiInput<'POST /blade-system/user/update-info'>) => {
  const me = await api.call('POST /blade-system/user/update-info', input, { quiet: 'fields' })
  changeUser({ avatar: me.avatar, nickName: me.name || me.realName })
  await refresh('me')
}

/** Picture, nickname and e-mail; what was verified at the registration is shown only and changes by request. */
export const Profile = ({ me }: { readonly me: Me }) => {
  const t = useT(meTexts)
  const a = useT(accountTexts)
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<Record<Name, string>>({ name: me.name, email: me.email })
  const [errors, setErrors] = useSaid<Partial<Record<Name, string>>>({})
  const [busy, setBusy] = useState(false)
  const set = (name: Name, value: string) => {
    setValues(before => ({ ...before, [name]: value }))
    setErrors(before => ({ ...before, [name]: undefined }))
  }
  const show = (found: Partial<Record<Name, string>>) => {
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) requestAnimationFrame(() => form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus())
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const email = foldWidth(values.email)
    if (email !== '' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) return show({ email: t('profile.email.wrong') })
    setBusy(true)
    try {
      await store({ name: tidyLine(values.name), email })
      notify('success', t('profile.saved'))
    } catch (error) {
      if (isApiError(error)) show(Object.fromEntries(error.fields.map(field => [field.field, field.msg])))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <form ref={form} className="p-card p-stack p-gap-l" noValidate onSubmit={event => void send(event)}>
        <AvatarEdit
          src={me.avatar}
          name={me.name || me.realName}
          onStore={async avatar => {
            await store({ avatar })
            notify('success', t('avatar.saved'))
          }}
        />
        <TextField
          label={t('profile.name')}
          name="name"
          autoComplete="nickname"
          maxLength={60}
          showOptional
          help={t('profile.nameHelp')}
          value={values.name}
          error={errors.name}
          onChange={event => set('name', event.target.value)}
        />
        <TextField
          label={t('profile.email')}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={120}
          showOptional
          value={values.email}
          error={errors.email}
          onChange={event => set('email', event.target.value)}
        />
        <Button type="submit" look="primary" block busy={busy}>
          {t('profile.save')}
        </Button>
      </form>
      <Card title={t('profile.verified')}>
        <Facts
          facts={[
            { name: a('info.realName'), value: me.realName },
            { name: a('info.account'), value: me.account },
            { name: a('info.userCode'), value: me.userCode && <span className="p-num">{me.userCode}</span> },
            { name: a('info.idCard'), value: me.idCard && <span className="p-num">{me.idCard}</span> },
            { name: a('info.phone'), value: me.phone && <span className="p-num">{me.phone}</span> },
          ]}
        />
        <Callout>{t('profile.verifiedHelp')}</Callout>
      </Card>
    </>
  )
}
