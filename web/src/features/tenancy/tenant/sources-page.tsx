import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { datasource } from '#contract/tenancy/datasource.resource.ts'
import { api } from '#web/kernel/api.ts'
import { encrypt } from '#web/kernel/cipher.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { tenantTexts } from './texts.ts'

const PasswordDialog = ({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) => {
  const t = useT(tenantTexts)
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const save = async () => {
    try {
      await api.call('POST /blade-develop/datasource/password', async () => ({ id: row.id, password: await encrypt(password) }))
    } catch {
      return false // The api client has said why.
    }
    notify('success', t('source.password.done'))
    await client.invalidateQueries({ queryKey: listKey(datasource.name) })
    return true
  }
  return (
    <ActionDialog
      size="prompt"
      title={t('source.password')}
      actions={[{ label: t('action.save'), disabled: password === '', run: save }]}
      hasChanges={() => password !== ''}
      onClose={onClose}
    >
      <p>{t('source.password.lead', { name: String(row.name) })}</p>
      <LabelledInput label={t('source.password')} type="password" value={password} onChange={setPassword} maxLength={200} />
    </ActionDialog>
  )
}

/** Opens the source, at most five seconds long, and says what it found. */
const CheckDialog = ({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) => {
  const t = useT(tenantTexts)
  const query = useQuery({
    queryKey: ['source-check', row.id],
    queryFn: () => api.call('POST /blade-develop/datasource/check', { id: row.id }, { quiet: true }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return (
    <ActionDialog size="prompt" title={t('source.check')} onClose={onClose}>
      <div aria-live="polite">
        <Loaded query={query} skeletonRows={2}>
          {({ isReached, text, warnings, version, tables }) =>
            isReached === 1 ? (
              <>
                <p>
                  <StatusTag tone="passed" text={t('source.check.reached')} />
                </p>
                <p>{t('source.check.found', { name: String(row.name), version, tables })}</p>
                {warnings.map(warning => (
                  <p key={warning}>
                    <StatusTag tone="waiting" text={t('source.check.warning')} /> {warning}
                  </p>
                ))}
              </>
            ) : (
              <>
                <p>
                  <StatusTag tone="refused" text={t('source.check.failed')} />
                </p>
                <p>{text}</p>
              </>
            )
          }
        </Loaded>
      </div>
    </ActionDialog>
  )
}

/** Data sources: driver and address are worked out by the server, the password has its own way in. */
export const Page = () => {
  const t = useT(tenantTexts)
  const can = useCan()
  const mayEdit = can('datasource_edit')
  const [editing, setEditing] = useState<Row | null>(null)
  const [tried, setTried] = useState<Row | null>(null)
  const cells = useMemo(
    () => ({
      passwordState: (row: Row) =>
        Number(row.passwordState) === 1 ? (
          <StatusTag tone="passed" text={t('source.password.set')} />
        ) : (
          <StatusTag tone="waiting" text={t('source.password.none')} />
        ),
    }),
    [t],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] =>
      mayEdit
        ? [
            { key: 'check', label: t('source.check'), onRun: () => setTried(row) },
            { key: 'password', label: t('source.password.change'), onRun: () => setEditing(row) },
          ]
        : [],
    [mayEdit, t],
  )
  return (
    <>
      <ResourcePage resource={datasource} cells={cells} rowActions={actions} />
      {tried === null ? null : <CheckDialog row={tried} onClose={() => setTried(null)} />}
      {editing === null ? null : <PasswordDialog row={editing} onClose={() => setEditing(null)} />}
    </>
  )
}
