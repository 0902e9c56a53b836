import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { can, stateOfWire } from '#contract/kernel/machine.ts'
import { noticeMachine } from '#contract/news/notice.state.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import type { Row } from '#web/resource/fields.ts'
import type { RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { isOut } from './is-out.ts'
import { newsTexts } from './texts.ts'

const PublishDialog = lazy(async () => ({ default: (await import('./publish-dialog.tsx')).PublishDialog }))
const ReasonDialog = lazy(async () => ({ default: (await import('#web/ui/reason-dialog.tsx')).ReasonDialog }))
const PreviewDialog = lazy(async () => ({ default: (await import('./preview-dialog.tsx')).PreviewDialog }))

type Open = { readonly kind: 'publish' | 'withdraw' | 'preview'; readonly row: Row } | null

/** What the machine lets somebody do with a notice or with news, as buttons of a row and the dialogs they open. */
export const useMoves = (of: 'notice' | 'news', mayRelease: boolean, reload: () => void) => {
  const t = useT(newsTexts)
  const [open, setOpen] = useState<Open>(null)
  const call = useCallback(
    (input: { id: string; event: 'withdraw' | 'revise'; reason?: string }) =>
      of === 'notice'
        ? api.call('POST /blade-desk/notice/changeState', input, { quiet: 'fields' })
        : api.call('POST /blade-news/news/changeState', input, { quiet: 'fields' }),
    [of],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] => {
      const state = stateOfWire(noticeMachine, Number(row.state))
      const isShown = isOut(row)
      const may = (event: 'publish' | 'withdraw' | 'revise') => mayRelease && state !== undefined && can(noticeMachine, state, event)
      const revise = async () => {
        if (!(await confirm({ title: t('revise'), text: t('revise.ask', { title: String(row.title) }), ok: t('revise') }))) return
        try {
          await call({ id: row.id, event: 'revise' })
          notify('success', t('revise.done'))
        } catch {
          // The api client has said why.
        }
        reload()
      }
      return [
        ...(may('publish') ? [{ key: 'publish', label: t('publish'), onRun: () => setOpen({ kind: 'publish', row }) }] : []),
        { key: 'preview', label: t('preview'), onRun: () => setOpen({ kind: 'preview', row }) },
        ...(may('withdraw') && isShown
          ? [{ key: 'withdraw', label: t('withdraw'), danger: true, onRun: () => setOpen({ kind: 'withdraw', row }) }]
          : []),
        ...(may('revise') && !(state === 'published' && isShown)
          ? [{ key: 'revise', label: t('revise'), onRun: () => void revise() }]
          : []),
      ]
    },
    [t, mayRelease, call, reload],
  )
  const close = () => setOpen(null)
  const title = String(open?.row.title ?? '')
  const dialogs: ReactNode =
    open === null ? null : (
      <Suspense fallback={null}>
        {open.kind === 'publish' ? <PublishDialog row={open.row} of={of} onDone={reload} onClose={close} /> : null}
        {open.kind === 'preview' ? <PreviewDialog row={open.row} of={of} onClose={close} /> : null}
        {open.kind === 'withdraw' ? (
          <ReasonDialog
            title={t('withdraw')}
            lead={t('withdraw.lead', { title })}
            label={t('withdraw.reason')}
            missing={t('withdraw.missing')}
            ok={t('withdraw')}
            send={async reason => {
              await call({ id: open.row.id, event: 'withdraw', reason })
              notify('success', t('withdraw.done'))
              reload()
            }}
            onClose={close}
          />
        ) : null}
      </Suspense>
    )
  return { actions, dialogs }
}
