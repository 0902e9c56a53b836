import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SetupStep, SetupView } from '#contract/installation/setup.routes.ts'
import { api } from '../../../kernel/api.ts'
import { minuteOf } from '../../../kernel/format.ts'
import { useT } from '../../../kernel/i18n/index.ts'
import { useCan } from '../../../kernel/permission.ts'
import { NavLink } from '../../../shell/nav-link.tsx'
import { FailedState, PageSkeleton } from '../../../ui/states.tsx'
import { StatusTag, type Tone } from '../../../ui/status-tag.tsx'
import { homeTexts } from './texts.ts'
import './setup.css'

const key = ['setup'] as const
const tones: Readonly<Record<SetupView['state'], Tone>> = {
  missing: 'refused',
  untried: 'waiting',
  failed: 'refused',
  done: 'passed',
  leftOut: 'closed',
}

/** Nothing is left to do about it. */
const isSettled = ({ state }: SetupView): boolean => state === 'done' || state === 'leftOut'

const Step = ({ step, Title }: { readonly step: SetupView; readonly Title: 'h2' | 'h3' }) => {
  const t = useT(homeTexts)
  const can = useCan()
  const client = useQueryClient()
  const [isTrying, setTrying] = useState(false)
  const ask = async (call: 'POST /blade-system/setup/try' | 'POST /blade-system/setup/leave-out', name: SetupStep) => {
    setTrying(true)
    try {
      await api.call(call, { step: name })
    } catch {
      // The api client has said why.
    }
    await client.invalidateQueries({ queryKey: key })
    setTrying(false)
  }
  return (
    <li className="card">
      <div className="setup-head">
        <Title>{step.label}</Title>
        <StatusTag tone={tones[step.state]} text={t(`setup.${step.state}`)} />
      </div>
      <p>{step.now}</p>
      {isSettled(step) ? null : <p className="setup-quiet">{step.help}</p>}
      <p className={step.state === 'failed' ? 'field-error' : 'setup-quiet'} role="status">
        {step.said === '' ? '' : t('setup.said', { said: step.said, account: step.triedBy, time: minuteOf(step.triedTime) })}
      </p>
      <div className="setup-head">
        {can('setup_try') ? (
          <button type="button" className="button" disabled={isTrying} onClick={() => void ask('POST /blade-system/setup/try', step.step)}>
            {isTrying ? t('setup.trying') : t('setup.try', { what: step.trial })}
          </button>
        ) : null}
        {step.leaveOut !== '' && can('setup_try') ? (
          <button
            type="button"
            className="button"
            disabled={isTrying}
            onClick={() => void ask('POST /blade-system/setup/leave-out', step.step)}
          >
            {step.leaveOut}
          </button>
        ) : null}
        {step.link === '' ? null : <NavLink to={step.link}>{t('setup.open', { what: step.label })}</NavLink>}
      </div>
    </li>
  )
}

/** What the installation needs before its first examination. @param onlyOpen - nothing at all once everything is done */
export const Setup = ({ onlyOpen = false }: { readonly onlyOpen?: boolean }) => {
  const t = useT(homeTexts)
  const can = useCan()
  const isMine = can('setup_view')
  const { data, isError, error, refetch } = useQuery({
    queryKey: [...key, 'list'],
    queryFn: ({ signal }) => api.call('GET /blade-system/setup/list', {}, { signal, quiet: true }),
    enabled: isMine,
  })
  if (!isMine) return null
  if (isError && data === undefined) return onlyOpen ? null : <FailedState text={error.message} onRetry={() => void refetch()} />
  if (data === undefined) return onlyOpen ? null : <PageSkeleton />
  const { steps, isOnHome } = data
  const done = steps.filter(isSettled).length
  if (onlyOpen && (!isOnHome || done === steps.length)) return null
  // On the home page it is a part, on its own the page.
  const Title = onlyOpen ? 'h2' : 'h1'
  return (
    <section className="setup">
      <Title>{t('setup.title', { done, total: steps.length })}</Title>
      <p className="setup-quiet">{t('setup.lead')}</p>
      <ol>
        {steps.map(step => (
          <Step key={step.step} step={step} Title={onlyOpen ? 'h3' : 'h2'} />
        ))}
      </ol>
    </section>
  )
}

/** The same as a page of its own, for after the first day. */
export const Page = () => (
  <div className="staff-home">
    <Setup />
  </div>
)
