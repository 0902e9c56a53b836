import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { encrypt } from '#web/kernel/cipher.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { forgetSession } from '#web/kernel/session.ts'
import { useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { dropKept } from '../form/kept.ts'
import { Tick } from '../kit/field.tsx'
import { Load } from '../kit/load.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import { meTexts } from './me-texts.ts'
import { OwnPassword } from './own-password.tsx'

type State = ApiOutput<'GET /me/closing'>

const Obstacles = ({ of }: { readonly of: State['obstacles'] }) => {
  const t = useT(meTexts)
  return (
    <ul>
      {of.map(({ kind, examName }) => (
        <li key={`${kind} ${examName}`}>
          <span lang="zh-CN">{examName}</span>: {t(`closing.kind.${kind}`)}
        </li>
      ))}
    </ul>
  )
}

const Ask = ({ state, onClosed }: { readonly state: State; readonly onClosed: () => void }) => {
  const t = useT(meTexts)
  const [known, setKnown] = useState(false)
  const [missing, setMissing] = useState(false)
  const waits = state.obstacles.length > 0
  const send = async (password: string) => {
    const answer = await api.call('POST /me/closing/request', async () => (password === '' ? {} : { password: await encrypt(password) }), {
      quiet: true,
    })
    if (answer.state === 'done') onClosed()
    else await refresh('closing')
  }
  return (
    <>
      <Callout tone="danger">
        <strong>{t('closing.warn')}</strong>
      </Callout>
      <p>{t('closing.before')}</p>
      {waits && (
        <Callout tone="warning">
          {t('closing.obstacles')}
          <Obstacles of={state.obstacles} />
        </Callout>
      )}
      <OwnPassword
        button={t(waits ? 'closing.ask' : 'closing.go')}
        danger
        check={() => {
          setMissing(!known)
          return known
        }}
        onSend={send}
      >
        <Tick
          name="known"
          checked={known}
          error={missing ? t('closing.tickNeed') : null}
          onChange={value => {
            setKnown(value)
            setMissing(false)
          }}
        >
          {t('closing.tick')}
        </Tick>
      </OwnPassword>
    </>
  )
}

const Waiting = ({ state }: { readonly state: State }) => {
  const t = useT(meTexts)
  const [busy, setBusy] = useState(false)
  const cancel = async () => {
    setBusy(true)
    try {
      await api.call('POST /me/closing/cancel', {})
      notify('success', t('closing.cancelled'))
    } catch {
      // Said by the api client; what it is now is read again.
    }
    await refresh('closing')
    setBusy(false)
  }
  const time = minuteOf(state.requestTime)
  return (
    <>
      <Callout tone="warning" live>
        {t(state.obstacles.length > 0 ? 'closing.waiting' : 'closing.soon', { time })}
        <Obstacles of={state.obstacles} />
      </Callout>
      <Button block busy={busy} onClick={() => void cancel()}>
        {t('closing.cancel')}
      </Button>
    </>
  )
}

/** The end of the account (domain 4.9): at once, or as soon as nothing of the person is open; until then it can be taken back. */
export const Closing = () => {
  const t = useT(meTexts)
  const [closed, setClosed] = useState(false)
  const closing = useRead('closing', {}, { staleMs: 0 })
  const leave = () => {
    dropKept()
    forgetSession()
    location.assign('/login')
  }
  if (closed)
    return (
      <>
        <Callout tone="success" live>
          {t('closing.done')}
        </Callout>
        <Button look="primary" block onClick={leave}>
          {t('closing.leave')}
        </Button>
      </>
    )
  return (
    <Load query={closing} skeleton={[120, 160]}>
      {state => (state.state === 'waiting' ? <Waiting state={state} /> : <Ask state={state} onClosed={() => setClosed(true)} />)}
    </Load>
  )
}
