import { useState } from 'react'
import { leastKeptDays, type PurgedKind } from '#contract/log/log.ts'
import { api } from '#web/kernel/api.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { DayInput } from '#web/resource/day-input.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Labelled, LabelledInput } from '#web/ui/labelled.tsx'
import { logTexts } from './log-texts.ts'

const dayMs = 24 * 3_600_000
/** A day of Asia/Shanghai, as the wire has it. */
const dayOf = (ms: number): string => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 10)

const purgeCalls = {
  usual: 'POST /blade-log/usual/purge',
  api: 'POST /blade-log/api/purge',
  error: 'POST /blade-log/error/purge',
  login: 'POST /blade-system/auth-log/purge',
} as const satisfies Readonly<Record<PurgedKind, string>>

interface Props {
  readonly kind: PurgedKind
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Removes old lines: first it says how many, then it asks why, and only that number goes. */
export const LogPurge = ({ kind, onDone, onClose }: Props) => {
  const t = useT(logTexts)
  const days = leastKeptDays[kind]
  const latest = dayOf(serverNow() - days * dayMs)
  const [before, setBefore] = useState(latest)
  const [reason, setReason] = useState('')
  const [counted, setCounted] = useState<number | null>(null)
  const [missing, setMissing] = useState(false)
  const call = (input: { readonly before: string; readonly expected?: number; readonly reason?: string }) =>
    api.call(purgeCalls[kind], input)
  const count = async (): Promise<boolean> => {
    try {
      setCounted((await call({ before })).count)
    } catch {
      // The api client has said why.
    }
    return false
  }
  const purge = async (): Promise<boolean> => {
    setMissing(reason.trim() === '')
    if (counted === null || reason.trim() === '') return false
    try {
      await call({ before, expected: counted, reason: reason.trim() })
      notify('success', t('log.purged', { count: counted }))
      onDone()
      return true
    } catch {
      setCounted(null)
      return false
    }
  }
  return (
    <ActionDialog
      title={t('log.purge')}
      hasChanges={() => reason !== ''}
      actions={
        counted === null || counted === 0
          ? [{ label: t('log.purge.count'), run: count, disabled: before === '' }]
          : [{ label: t('log.purge.run', { count: counted }), tone: 'danger', run: purge }]
      }
      onClose={onClose}
    >
      <p>{t('log.purge.lead', { days })}</p>
      <Labelled label={t('log.purge.before')}>
        {id => (
          <DayInput
            id={id}
            label={t('log.purge.before')}
            value={before}
            onChange={value => {
              setBefore(value)
              setCounted(null)
            }}
          />
        )}
      </Labelled>
      <p role="status">{counted === null ? '' : counted === 0 ? t('log.purge.none') : t('log.purge.found', { count: counted, before })}</p>
      {counted === null || counted === 0 ? null : (
        <LabelledInput
          label={t('log.purge.reason')}
          error={missing ? t('log.purge.missing') : undefined}
          maxLength={200}
          value={reason}
          onChange={setReason}
        />
      )}
    </ActionDialog>
  )
}
