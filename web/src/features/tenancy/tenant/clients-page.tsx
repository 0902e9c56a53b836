import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { client, grantTypes, webClientId } from '#contract/tenancy/client.resource.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Check } from '#web/ui/labelled.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { tenantTexts } from './texts.ts'
import './tenant.css'

type Secret = ApiOutput<'POST /blade-system/client/renew-secret'>

const listOf = (joined: unknown): readonly string[] =>
  String(joined ?? '')
    .split(',')
    .filter(part => part !== '')

/** Comma-joined on the wire, boxes here. */
const GrantsInput = ({ id, value, onChange }: InputProps) => {
  const t = useT(tenantTexts)
  const label = useLabel()
  const chosen = listOf(value)
  return (
    <fieldset id={id} className="tenant-grants">
      <legend className="visually-hidden">{label(client.fields.authorizedGrantTypes.label)}</legend>
      {grantTypes.map(grant => (
        <Check
          key={grant}
          label={t(`grant.${grant}`)}
          on={chosen.includes(grant)}
          onChange={on => onChange?.(grantTypes.filter(each => (each === grant ? on : chosen.includes(each))).join(','))}
        />
      ))}
    </fieldset>
  )
}
const inputs: InputSlots = { authorizedGrantTypes: props => <GrantsInput {...props} /> }

/** Clients of the token call: their secret is made by the server and seen once. */
export const Page = () => {
  const t = useT(tenantTexts)
  const can = useCan()
  const queries = useQueryClient()
  const mayEdit = can('client_edit')
  const [secret, setSecret] = useState<Secret | null>(null)
  const renew = useCallback(
    async (row: Row) => {
      const name = String(row.clientName)
      if (Number(row.secretState) === 1) {
        const yes = await confirm({ title: t('client.renew'), text: t('client.renew.ask', { name }), ok: t('client.renew'), danger: true })
        if (!yes) return
      }
      try {
        setSecret(await api.call('POST /blade-system/client/renew-secret', { id: row.id }))
      } catch {
        return // The api client has said why.
      }
      await queries.invalidateQueries({ queryKey: listKey(client.name) })
    },
    [queries, t],
  )
  const cells = useMemo(
    () => ({
      authorizedGrantTypes: (row: Row) =>
        listOf(row.authorizedGrantTypes)
          .flatMap(grant => grantTypes.find(each => each === grant) ?? [])
          .map(grant => t(`grant.${grant}`))
          .join(t('list.separator')),
      secretState: (row: Row) =>
        row.clientId === webClientId ? (
          t('client.public')
        ) : Number(row.secretState) === 1 ? (
          <StatusTag tone="passed" text={t('source.password.set')} />
        ) : (
          <StatusTag tone="waiting" text={t('source.password.none')} />
        ),
    }),
    [t],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] =>
      mayEdit && row.clientId !== webClientId
        ? [{ key: 'renew', label: t(Number(row.secretState) === 1 ? 'client.renew' : 'client.make'), onRun: () => void renew(row) }]
        : [],
    [mayEdit, renew, t],
  )
  const keeps = useCallback((row: Row) => (row.clientId === webClientId ? t('client.keeps') : undefined), [t])
  return (
    <>
      <ResourcePage resource={client} cells={cells} inputs={inputs} rowActions={actions} keeps={keeps} />
      {secret === null ? null : (
        <ActionDialog title={t('client.secret')} onClose={() => setSecret(null)}>
          <p>{t('client.secret.lead')}</p>
          <Facts
            boxed
            items={[
              { key: 'id', label: t('client.id'), value: secret.clientId },
              { key: 'secret', label: t('client.secret'), value: secret.clientSecret },
            ]}
          />
        </ActionDialog>
      )}
    </>
  )
}
