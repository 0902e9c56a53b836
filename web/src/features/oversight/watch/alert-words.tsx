import { useCallback } from 'react'
import { alertMachine } from '#contract/oversight/alert.state.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { watchTexts } from './texts.ts'
import { type AlertRow, alertTones } from './wire.ts'

export const alertStates = Object.entries(alertMachine.wire) as [keyof typeof alertMachine.wire, number][]

/** Whom an alert is about, in words. */
export const useWho = () => {
  const t = useT(watchTexts)
  return useCallback(
    (row: Pick<AlertRow, 'subject' | 'realName' | 'account' | 'roleName'>): string => {
      if (row.subject === 'tenant') return t('alert.tenant')
      return row.subject === 'role' ? t('alert.role', { role: row.roleName }) : row.realName || row.account
    },
    [t],
  )
}
export const AlertState = ({ state }: Pick<AlertRow, 'state'>) => {
  const label = useLabel()
  const found = alertStates.find(([, wire]) => wire === state)
  return <StatusTag tone={alertTones[state] ?? 'draft'} text={found ? label(alertMachine.label[found[0]]) : String(state)} />
}
