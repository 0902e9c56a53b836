import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { useTabTitle } from '#web/shell/page-context.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { Progress } from './progress.tsx'
import { refreshWork } from './refresh.ts'
import { RequestFacts } from './request-facts.tsx'
import { workTexts } from './texts.ts'
import { WithdrawDialog } from './withdraw-dialog.tsx'
import { InstanceTag } from './work-list.tsx'
import '../flow.css'

const CancelDialog = lazy(async () => ({ default: (await import('./cancel-dialog.tsx')).CancelDialog }))
const PeopleDialog = lazy(async () => ({ default: (await import('./people-dialog.tsx')).PeopleDialog }))

/** A process to look at, with what the reader may do about it. */
export const InstancePage = ({ processInstanceId, facts }: { readonly processInstanceId: string; readonly facts?: ReactNode }) => {
  const t = useT(workTexts)
  const client = useQueryClient()
  const detail = useCall('GET /blade-flow/work/instance-detail', { processInstanceId }, { quiet: true, staleTimeMs: 0 })
  const [open, setOpen] = useState<'withdraw' | 'cancel' | 'copy' | null>(null)
  const name = detail.data === undefined ? '' : detail.data.title || detail.data.processDefinitionName
  useTabTitle(name === '' ? null : { zh: name, en: name })
  const close = () => {
    setOpen(null)
    void detail.refetch()
  }
  const remind = async () => {
    const told = await api.call('POST /blade-flow/work/remind', { processInstanceId }).catch(() => null)
    if (told === null) return
    notify('success', t('act.remind.done', { count: told.reminded }))
    await refreshWork(client)
  }
  return (
    <div className="flow-page">
      <Loaded query={detail}>
        {of => (
          <>
            <div className="page-head">
              <h1>{name}</h1>
              <InstanceTag state={of.state} passed={of.passed} />
            </div>
            <section className="card">
              {facts ?? <RequestFacts of={of} />}
              {of.deleteReason === '' ? null : <p className="flow-note">{of.deleteReason}</p>}
              <div className="flow-bar">
                {of.actions.includes('remind') ? (
                  <button type="button" className="button" onClick={() => void remind()}>
                    {t('act.remind')}
                  </button>
                ) : null}
                {(['copy', 'withdraw', 'cancel'] as const)
                  .filter(each => of.actions.includes(each))
                  .map(each => (
                    <button
                      key={each}
                      type="button"
                      className={each === 'copy' ? 'button' : 'button button-danger'}
                      onClick={() => setOpen(each)}
                    >
                      {t(`act.${each}`)}
                    </button>
                  ))}
              </div>
            </section>
            <section className="card">
              <h2>{t('progress.title')}</h2>
              <Progress processInstanceId={processInstanceId} />
            </section>
          </>
        )}
      </Loaded>
      {open === 'withdraw' ? <WithdrawDialog processInstanceId={processInstanceId} name={name} onClose={close} /> : null}
      <Suspense>
        {open === 'cancel' ? <CancelDialog processInstanceId={processInstanceId} name={name} onClose={close} /> : null}
        {open === 'copy' ? (
          <PeopleDialog way="copy" processInstanceId={processInstanceId} taskId="" onClose={close} onDone={close} />
        ) : null}
      </Suspense>
    </div>
  )
}
