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
const tones: Readonly<Record<SetupView['state'], Tone>> = { missing: 'refused', untried: 'waiting', failed: 'refused', done: 'passed' }

const Step = ({ step }: { readonly step: SetupView }) => {
  const t = useT(homeTexts)
  const can = useCan()
  const client = useQueryClient()
  const [isTrying, setTrying] = useState(false)
  const attempt = async (name: SetupStep) => {
    setTrying(true)
    try {
      await api.call('POST /blade-system/setup/try', { step: name })
    } catch {
      // The api client has said why.
    }
    await client.invalidateQueries({ queryKey: key })
    setTrying(false)
  }
  return (
    <li className="card">
      <div className="setup-head">
        <h3>{step.label}</h3>
        <StatusTag tone={tones[step.state]} text={t(`setup.${step.state}`)} />
      </div>
      <p>{step.now}</p>
      {step.state === 'done' ? null : <p className="setup-quiet">{step.help}</p>}
      <p className={step.state === 'failed' ? 'field-error' : 'setup-quiet'} role="status">
        {step.said === '' ? '' : t('setup.said', { said: step.said, account: step.triedBy, time: minuteOf(step.triedTime) })}
      </p>
      <div className="setup-head">
        {can('setup_try') ? (
          <button type="button" className="button" disabled={isTrying} onClick={() => void attempt(step.step)}>
            {isTrying ? t('setup.trying') : t('setup.try', { what: step.trial })}
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
  const done = steps.filter(({ state }) => state === 'done').length
  if (onlyOpen && (!isOnHome || done === steps.length)) return null
  return (
    <section className="setup">
      <h2>{t('setup.title', { done, total: steps.length })}</h2>
      <p className="setup-quiet">{t('setup.lead')}</p>
      <ol>
        {steps.map(step => (
          <Step key={step.step} step={step} />
        ))}
      </ol>
    </section>
  )
}

/** The same as a page of its own, for after the first day. */
export const Page = () => {
  const t = useT(homeTexts)
  return (
    <div className="staff-home">
      <h1>{t('setup.page')}</h1>
      <Setup />
    </div>
  )
}
