import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import { notice } from '#contract/news/notice.resource.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { goTo } from '#web/shell/go.ts'
import type { RowAction } from '#web/ui/data-table.tsx'
import { cells } from './cells.tsx'
import { ContentInput } from './inputs.tsx'
import { isDraft } from './is-out.ts'
import { newsTexts } from './texts.ts'
import { useMoves } from './use-moves.tsx'

const FilesDialog = lazy(async () => ({ default: (await import('./files-dialog.tsx')).FilesDialog }))
const PublicityDialog = lazy(async () => ({ default: (await import('./publicity-dialog.tsx')).PublicityDialog }))

const inputs: InputSlots = { content: props => <ContentInput {...props} /> }

/** Notices from their draft to their end (S7.25). */
export const Page = () => {
  const t = useT(newsTexts)
  const keeps = useCallback((row: Row) => (isDraft(row) && !row.withdrawnTime ? undefined : t('kept', { title: String(row.title) })), [t])
  const can = useCan()
  const client = useQueryClient()
  const reload = useCallback(() => void client.invalidateQueries({ queryKey: listKey(notice.name) }), [client])
  const [filesOf, setFilesOf] = useState<Row | null>(null)
  const [makes, setMakes] = useState(false)
  const [mayRelease, mayEdit, mayAdd, seesReaders] = [can('notice_release'), can('notice_edit'), can('notice_add'), can('noticeread_view')]
  const { actions: moves, dialogs } = useMoves('notice', mayRelease, reload)
  const actions = useCallback(
    (row: Row): readonly RowAction[] => {
      const isTop = Number(row.isTop) === 1
      const setTop = async () => {
        try {
          await api.call('POST /blade-desk/notice/setTop', { id: row.id, isTop: isTop ? 0 : 1 })
        } catch {
          // The api client has said why.
        }
        reload()
      }
      return [
        ...moves(row),
        { key: 'files', label: t('files'), onRun: () => setFilesOf(row) },
        ...(seesReaders && Number(row.state) !== 0
          ? [{ key: 'readers', label: t('readers'), onRun: () => goTo(`/desk/noticeRead?noticeId=${row.id}`) }]
          : []),
        ...(mayRelease ? [{ key: 'top', label: t(isTop ? 'untop' : 'top'), onRun: () => void setTop() }] : []),
      ]
    },
    [moves, t, mayRelease, seesReaders, reload],
  )
  return (
    <>
      <ResourcePage
        resource={notice}
        inputs={inputs}
        cells={cells}
        isOpen={isDraft}
        keeps={keeps}
        rowActions={actions}
        toolbar={() =>
          mayAdd ? (
            <button type="button" className="button" onClick={() => setMakes(true)}>
              {t('publicity')}
            </button>
          ) : null
        }
      />
      {dialogs}
      <Suspense fallback={null}>
        {filesOf === null ? null : <FilesDialog row={filesOf} mayChange={mayEdit} onChanged={reload} onClose={() => setFilesOf(null)} />}
        {makes ? <PublicityDialog onDone={reload} onClose={() => setMakes(false)} /> : null}
      </Suspense>
    </>
  )
}
