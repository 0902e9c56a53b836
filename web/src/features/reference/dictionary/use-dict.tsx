import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { type DictRow, isDictList, type Kind, removeDict, saveDict } from './calls.ts'
import type { Editing } from './dict-dialog.tsx'
import { dictTexts } from './texts.ts'

const DictDialog = lazy(async () => ({ default: (await import('./dict-dialog.tsx')).DictDialog }))
const PasteDialog = lazy(async () => ({ default: (await import('./paste-dialog.tsx')).PasteDialog }))

/** What a row is called in the reader's language. */
export const useDictName = () => {
  const lang = useLang()
  return useCallback((row: DictRow): string => (lang === 'en' && row.dictValueEn) || row.dictValue, [lang])
}

export const isGroup = (row: DictRow): boolean => row.parentId === '0'

/** What a person may do with the rows of one dictionary, and the dialog it is done in. Keep `onRemoved` the same function between renders. */
export const useDictEditor = (kind: Kind, onRemoved?: (ids: readonly string[]) => void) => {
  const t = useT(dictTexts)
  const can = useCan()
  const client = useQueryClient()
  const [editing, setEditing] = useState<Editing | null>(null)
  const [pasting, setPasting] = useState<Pick<DictRow, 'id'> | null>(null)
  const [mayAdd, mayEdit, mayDelete] = (['add', 'edit', 'delete'] as const).map(action => can(`${kind}_${action}`))
  /** Lists, and what other screens know of the dictionaries. */
  const changed = useCallback(
    (gone: readonly string[] = []) =>
      client.invalidateQueries({
        predicate: ({ queryKey }) => isDictList(queryKey) && !gone.some(id => String(queryKey[1]).endsWith(`-${id}`)),
      }),
    [client],
  )
  const remove = useCallback(
    async (rows: readonly Pick<DictRow, 'id' | 'dictValue'>[]): Promise<boolean> => {
      if (rows.length === 0) {
        notify('warning', t('none'))
        return false
      }
      const what = namesAndCount(rows.map(row => row.dictValue))
      if (!(await confirm({ title: t('action.delete'), text: t('delete.ask', { what }), ok: t('action.delete'), danger: true })))
        return false
      const ids = rows.map(row => row.id)
      try {
        await removeDict(kind, ids)
      } catch {
        return false // The api client has said why.
      }
      notify('success', t('done.deleted'))
      onRemoved?.(ids)
      await changed(ids)
      return true
    },
    [kind, changed, onRemoved, t],
  )
  const seal = useCallback(
    async (row: DictRow) => {
      const isSealed = row.isSealed === 1 ? 0 : 1
      if (
        isSealed === 1 &&
        !(await confirm({ title: t('seal'), text: t('seal.ask', { name: row.dictValue }), ok: t('seal'), danger: true }))
      )
        return
      const { id, parentId, code, dictKey, dictValue, dictValueEn, sort, remark, version } = row
      try {
        await saveDict(kind, { id, parentId, code, dictKey, dictValue, dictValueEn, sort, remark, version, isSealed })
      } catch {
        // As above; where somebody else has changed the row, it is shown as it is now.
        return changed()
      }
      notify('success', t(isSealed === 1 ? 'sealed.done' : 'unsealed.done'))
      return changed()
    },
    [kind, changed, t],
  )
  const actionsOf = useCallback(
    (row: DictRow, parent: Editing['parent'], withEntry = false): readonly RowAction[] => [
      ...(mayAdd && withEntry && isGroup(row)
        ? [{ key: 'entry', label: t('entry.add'), onRun: () => setEditing({ parent: row, row: null }) }]
        : []),
      ...(mayAdd && isGroup(row) ? [{ key: 'paste', label: t('paste'), onRun: () => setPasting(row) }] : []),
      ...(mayEdit
        ? [
            { key: 'edit', label: t('action.edit'), onRun: () => setEditing({ parent, row }) },
            { key: 'seal', label: t(row.isSealed === 1 ? 'unseal' : 'seal'), onRun: () => void seal(row) },
          ]
        : []),
      ...(mayDelete ? [{ key: 'delete', label: t('action.delete'), danger: true, onRun: () => void remove([row]) }] : []),
    ],
    [mayAdd, mayEdit, mayDelete, seal, remove, t],
  )
  const dialog: ReactNode =
    pasting !== null ? (
      <Suspense>
        <PasteDialog kind={kind} parent={pasting} onClose={() => setPasting(null)} onSaved={() => void changed()} />
      </Suspense>
    ) : editing === null ? null : (
      <Suspense>
        <DictDialog kind={kind} editing={editing} onClose={() => setEditing(null)} onSaved={() => void changed()} />
      </Suspense>
    )
  return { mayAdd, mayDelete, isReadOnly: !(mayAdd || mayEdit || mayDelete), edit: setEditing, remove, actionsOf, dialog }
}

/** Columns of groups (`code` first) or of entries (their key first); a tree shows both. */
export const useDictColumns = (of: 'groups' | 'entries' | 'both'): readonly Column<DictRow>[] => {
  const t = useT(dictTexts)
  return useMemo(() => {
    const code: Column<DictRow> = { key: 'code', title: t('code'), cell: row => row.code }
    const key: Column<DictRow> = { key: 'dictKey', title: t('key'), cell: row => (isGroup(row) ? '' : row.dictKey), width: 110 }
    const name: Column<DictRow> = { key: 'dictValue', title: t('name'), cell: row => <span lang="zh">{row.dictValue}</span> }
    return [
      ...(of === 'groups' ? [code, name] : of === 'entries' ? [key, name] : [name, code, key]),
      { key: 'dictValueEn', title: t('name.en'), cell: row => <span lang="en">{row.dictValueEn}</span>, hidden: of === 'groups' },
      { key: 'sort', title: t('sort'), cell: row => row.sort, align: 'right', width: 90, hidden: of === 'groups' },
      {
        key: 'isSealed',
        title: t('state'),
        width: 100,
        cell: row => (
          <StatusTag tone={row.isSealed === 1 ? 'closed' : 'passed'} text={t(row.isSealed === 1 ? 'state.sealed' : 'state.open')} />
        ),
      },
      { key: 'remark', title: t('remark'), cell: row => row.remark, hidden: of !== 'both' },
    ]
  }, [of, t])
}
