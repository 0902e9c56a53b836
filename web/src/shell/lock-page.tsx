import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { api } from '../kernel/api.ts'
import { encrypt, prepareCipher } from '../kernel/cipher.ts'
import { useT } from '../kernel/i18n/index.ts'
import { logOut } from '../kernel/leave.ts'
import { useSession } from '../kernel/session.ts'
import { unlock } from '../kernel/session-acts.ts'
import { Avatar } from './avatar.tsx'
import { goTo } from './go.ts'
import { shellTexts } from './texts.ts'
import './status.css'

/** S2.02, decision 3.9: the session is locked on the server too; its password opens it again, or the person logs out. */
export const LockPage = () => {
  const t = useT(shellTexts)
  const id = useId()
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const user = useSession(session => session.user)
  const locked = useSession(session => session.locked)
  const byServer = useSession(session => session.lockedBy === 'server')
  const [password, setPassword] = useState('')
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const back = useRef(useSession.getState().lockedAt)
  const title = t('lock.title')
  useEffect(() => {
    document.title = title
    input.current?.focus()
  }, [title])
  // Also when another tab of the browser has unlocked.
  useEffect(() => {
    // Whoever logs out here goes to the login instead.
    if (locked || useSession.getState().token === null) return
    void client.invalidateQueries()
    goTo(back.current ?? '/', { replace: true })
  }, [locked, client])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    input.current?.focus()
    if (password === '' || busy) return
    setBusy(true)
    try {
      await api.call('POST /blade-auth/oauth/unlock', async () => ({ password: await encrypt(password) }))
      unlock()
    } catch {
      setPassword('')
      setChecked(false)
    } finally {
      setBusy(false)
    }
  }
  const label = byServer ? t('lock.anyPassword') : t('lock.password')
  const error = checked && password === '' ? t('lock.empty') : undefined
  return (
    <main className="status-page">
      <Avatar src={user?.avatar ?? ''} name={user?.nickName ?? ''} size={64} />
      <h1>{title}</h1>
      <p>
        {user?.nickName}
        <br />
        {byServer ? t('lock.byServer') : t('lock.detail')}
      </p>
      <form className="lock-form" onSubmit={submit} onFocus={prepareCipher} noValidate>
        <label htmlFor={id}>{label}</label>
        <input
          ref={input}
          id={id}
          className="input"
          type="password"
          autoComplete="off"
          maxLength={64}
          value={password}
          onChange={event => setPassword(event.target.value)}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-error`}
        />
        <p id={`${id}-error`} className="field-error" aria-live="polite">
          {error}
        </p>
        <button type="submit" className="button button-primary" disabled={busy}>
          {t('lock.unlock')}
        </button>
        <button type="button" className="button" onClick={() => void logOut()}>
          {t('action.logout')}
        </button>
      </form>
    </main>
  )
}
