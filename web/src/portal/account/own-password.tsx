import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { isApiError } from '#web/kernel/api-error.ts'
import { prepareCipher } from '#web/kernel/cipher.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useRead } from '../calls.ts'
import { Callout } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import { meTexts } from './me-texts.ts'
import { PasswordInput } from './password-input.tsx'

/** Asks for the login password before something of weight; a wrong one is said at the field, another refusal above the button. */
export const OwnPassword = ({
  button,
  danger = false,
  check,
  onSend,
  children,
}: {
  readonly button: string
  readonly danger?: boolean
  /** False when something beside the password is missing; the caller has shown it. */
  readonly check?: () => boolean
  /** @throws what the server refuses, shown here */
  readonly onSend: (password: string) => Promise<void>
  readonly children?: ReactNode
}) => {
  const t = useT(meTexts)
  const me = useRead('me', {})
  const isAsked = me.data?.passwordAsked !== false
  const form = useRef<HTMLFormElement>(null)
  const [password, setPassword] = useState('')
  const [error, setError] = useSaid<string>()
  const [refusal, setRefusal] = useSaid<string | null>(null)
  const [busy, setBusy] = useState(false)
  const atField = (text: string) => {
    setError(text)
    form.current?.querySelector<HTMLInputElement>('[name=password]')?.focus()
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setRefusal(null)
    const complete = check?.() ?? true
    if (isAsked && password === '') return atField(t('data.passwordNeed'))
    if (!complete) return
    setBusy(true)
    try {
      await onSend(password)
      setPassword('')
    } catch (caught) {
      if (!isApiError(caught)) throw caught
      if (caught.reason === 'auth/wrong-password') atField(caught.message)
      else setRefusal(caught.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} className="p-stack p-gap-l" noValidate onFocus={prepareCipher} onSubmit={event => void send(event)}>
      {(isAsked || error !== undefined) && (
        <PasswordInput
          label={t('data.password')}
          name="password"
          autoComplete="current-password"
          help={t('data.passwordHelp')}
          value={password}
          error={error}
          onChange={value => {
            setPassword(value)
            setError(undefined)
          }}
        />
      )}
      {children}
      {refusal !== null && (
        <Callout tone="danger" live>
          {refusal}
        </Callout>
      )}
      <Button type="submit" look={danger ? 'danger' : 'primary'} block busy={busy}>
        {button}
      </Button>
    </form>
  )
}
