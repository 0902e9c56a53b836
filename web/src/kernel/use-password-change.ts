import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { checkPassword, type PasswordPolicy, passwordMessage } from '#contract/auth/password-policy.ts'
import { api } from './api.ts'
import { isApiError } from './api-error.ts'
import { encrypt } from './cipher.ts'
import { useLabel, useT } from './i18n/index.ts'
import { type Strength, strengthOf } from './password-strength.ts'
import { passwordTexts } from './password-texts.ts'
import { useSaid } from './said.ts'

const names = ['oldPassword', 'newPassword', 'newPassword1'] as const
type Name = (typeof names)[number]
type Values = Readonly<Record<Name, string>>
type Errors = Partial<Readonly<Record<Name, string>>>

interface Options {
  readonly policy: PasswordPolicy
  /** What the new password must not hold. The server knows more of it, and a list of common passwords: it decides. */
  readonly ownWords: readonly (string | undefined)[]
  readonly onDone: () => void
  /** The session that `headers` name has ended; one that the browser keeps is the api client's matter. */
  readonly onGone?: () => void
  /** The current password where it is known, so that nobody types it twice. */
  readonly known?: string
  readonly headers?: Readonly<Record<string, string>>
  /** False while the SMS code of the login proves who it is: the old password may be left empty. */
  readonly asksOld?: boolean
  /** Something stands in the fields that would be lost. */
  readonly onChanges?: (changed: boolean) => void
}

export interface PasswordFieldState {
  readonly name: Name
  readonly value: string
  readonly error: string | undefined
  readonly onValue: (value: string) => void
}
interface PasswordChange {
  readonly form: React.RefObject<HTMLFormElement | null>
  readonly field: (name: Name) => PasswordFieldState
  /** Of the new password, as long as there is one. */
  readonly strength: Strength | null
  readonly busy: boolean
  readonly onSubmit: (event: FormEvent) => void
}

/** S3.09, S5.30: three fields that travel sealed, each under a seal of its own. */
const send = (values: Values, headers: Readonly<Record<string, string>>) =>
  api.call(
    'POST /blade-system/user/update-password',
    async () => {
      const [oldPassword, newPassword, newPassword1] = await Promise.all([
        values.oldPassword === '' ? undefined : encrypt(values.oldPassword),
        encrypt(values.newPassword),
        encrypt(values.newPassword1),
      ])
      return { ...(oldPassword === undefined ? {} : { oldPassword }), newPassword, newPassword1 }
    },
    { quiet: 'fields', headers },
  )

/** A form that changes the caller's own password: the console's, the portal's, and the login's where a one-time password is due. */
export const usePasswordChange = ({
  policy,
  ownWords,
  onDone,
  onGone,
  known = '',
  headers = {},
  asksOld = true,
  onChanges,
}: Options): PasswordChange => {
  const t = useT(passwordTexts)
  const label = useLabel()
  const empty: Values = { oldPassword: known, newPassword: '', newPassword1: '' }
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(empty)
  const [errors, setErrors] = useSaid<Errors>({})
  const [busy, setBusy] = useState(false)
  const change = (name: Name, value: string) => {
    const next = { ...values, [name]: value }
    setValues(next)
    setErrors(({ [name]: _mended, ...rest }) => rest)
    onChanges?.(names.some(each => next[each] !== empty[each]))
  }
  const problemsOf = ({ oldPassword, newPassword, newPassword1 }: Values): Errors => {
    const [weak] = checkPassword({ password: newPassword, ownWords, isCommon: () => false }, policy)
    const fresh = weak !== undefined ? label(passwordMessage(weak, policy)) : newPassword === oldPassword ? t('password.same') : undefined
    const again = newPassword1 === '' ? t('password.again.need') : newPassword1 === newPassword ? undefined : t('password.mismatch')
    return {
      ...(asksOld && oldPassword === '' ? { oldPassword: t('password.old.need') } : {}),
      ...(fresh === undefined ? {} : { newPassword: fresh }),
      ...(again === undefined ? {} : { newPassword1: again }),
    }
  }
  const show = (found: Errors) => {
    // A field that was left out because its value is known is drawn by its error.
    flushSync(() => setErrors(found))
    const first = names.find(name => found[name] !== undefined)
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
  }
  const submit = async () => {
    const found = problemsOf(values)
    show(found)
    if (Object.keys(found).length > 0 || busy) return
    setBusy(true)
    try {
      await send(values, headers)
      setValues({ oldPassword: '', newPassword: '', newPassword1: '' })
      onChanges?.(false)
      onDone()
    } catch (error) {
      if (isApiError(error) && error.status === 401) onGone?.()
      else if (isApiError(error))
        show(
          error.reason === 'auth/wrong-password'
            ? { oldPassword: error.message }
            : Object.fromEntries(error.fields.map(({ field, msg }) => [field, msg])),
        )
    } finally {
      setBusy(false)
    }
  }
  return {
    form,
    field: name => ({ name, value: values[name], error: errors[name], onValue: value => change(name, value) }),
    strength: values.newPassword === '' ? null : strengthOf(values.newPassword, policy.minLength),
    busy,
    onSubmit: event => {
      event.preventDefault()
      void submit()
    },
  }
}
