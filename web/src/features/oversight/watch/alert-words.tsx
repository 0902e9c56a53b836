import { useCallback } from 'react'
import { alertMachine } from '#contract/oversight/alert.state.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { StateTag } from '#web/ui/state-tag.tsx'
import { watchTexts } from './texts.ts'
import type { AlertRow } from './wire.ts'

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
export const AlertState = ({ state }: Pick<AlertRow, 'state'>) => <StateTag of={alertMachine} wire={state} />
