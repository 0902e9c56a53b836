import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import type { NounAction, Resource } from '#contract/kernel/resource.ts'
import { api } from '../kernel/api.ts'
import { useLabel } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { useCan } from '../kernel/permission.ts'
import type { RowAction } from '../ui/data-table.tsx'
import { confirm } from '../ui/dialog.tsx'
import { NotDone } from '../ui/not-done.ts'
import { listKey } from './crud-page.tsx'
import type { Row } from './fields.ts'

const ReasonDialog = lazy(async () => ({ default: (await import('../ui/reason-dialog.tsx')).ReasonDialog }))

/** `{name}` in a text is the value of that name. */
const filled = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

const fits = ({ when = {} }: NounAction, row: Row): boolean =>
  Object.entries(when).every(([name, value]) => String(row[name]) === String(value))

const isOfRow = ({ row, when }: NounAction): boolean => row !== undefined || when !== undefined

/** Actions that a noun declares: of a row, and those of the whole list. Each is there for whoever holds its right. */
export const useNounActions = ({
  name,
  permission,
  actions,
}: Resource): {
  readonly hasSome: boolean
  readonly ofRow: (row: Row) => readonly RowAction[]
  readonly toolbar: ReactNode
  readonly dialog: ReactNode
} => {
  const label = useLabel()
  const can = useCan()
  const client = useQueryClient()
  const [asked, setAsked] = useState<{ readonly action: NounAction; readonly row: Row | null } | null>(null)
  const send = useCallback(
    async (action: NounAction, row: Row | null, reason?: string) => {
      const [, path = ''] = action.call.split(' ')
      const ofRow = Object.entries(action.row ?? {}).map(([input, field]) => [input, row?.[field]])
      const answer = await api.request<Readonly<Record<string, unknown>> | null>({
        method: 'POST',
        path,
        body: { ...Object.fromEntries(ofRow), ...action.body, ...(action.reason === undefined ? {} : { [action.reason.field]: reason }) },
        ...(action.reason === undefined ? {} : { quiet: 'fields' as const }),
      })
      const waiting = answer?.['waiting']
      // What another person has to do as well is not done yet.
      const said = typeof waiting === 'string' ? waiting : filled(label(action.done ?? action.label), { ...row, ...answer })
      if (action.succeeds !== undefined && answer?.[action.succeeds] === false) {
        // Whoever has a window open is told in it.
        if (action.reason !== undefined) throw new NotDone(said)
        return notify('error', said)
      }
      notify('success', said)
      await client.invalidateQueries({ queryKey: listKey(name) })
    },
    [client, label, name],
  )
  const run = useCallback(
    async (action: NounAction, row: Row | null) => {
      if (action.reason !== undefined) return setAsked({ action, row })
      const text = action.ask === undefined ? null : filled(label(action.ask), row ?? {})
      if (text !== null && !(await confirm({ title: label(action.label), text, ...(action.danger ? { danger: true } : {}) }))) return
      await send(action, row).catch(() => {}) // The api client has said why.
    },
    [label, send],
  )
  const held = (actions ?? []).filter(({ right }) => can(`${permission}_${right}`))
  const ofRow = useCallback(
    (row: Row): readonly RowAction[] =>
      (actions ?? [])
        .filter(action => isOfRow(action) && can(`${permission}_${action.right}`) && fits(action, row))
        .map(action => ({
          key: action.key,
          label: label(action.label),
          ...(action.danger ? { danger: true } : {}),
          onRun: () => void run(action, row),
        })),
    [actions, can, permission, label, run],
  )
  return {
    hasSome: held.some(isOfRow),
    ofRow,
    toolbar: held
      .filter(action => !isOfRow(action))
      .map(action => (
        <button key={action.key} type="button" className="button" onClick={() => void run(action, null)}>
          {label(action.label)}
        </button>
      )),
    dialog:
      asked?.action.reason === undefined ? null : (
        <Suspense>
          <ReasonDialog
            title={label(asked.action.label)}
            lead={filled(label(asked.action.ask ?? asked.action.label), asked.row ?? {})}
            label={label(asked.action.reason.label)}
            missing={label(asked.action.reason.missing)}
            ok={label(asked.action.label)}
            send={text => send(asked.action, asked.row, text)}
            onClose={() => setAsked(null)}
          />
        </Suspense>
      ),
  }
}
