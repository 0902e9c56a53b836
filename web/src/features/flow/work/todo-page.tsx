import { useCallback } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { goTo } from '#web/shell/go.ts'
import type { RowAction } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { handlePlace } from './places.ts'
import { workTexts } from './texts.ts'
import { WorkListPage, type WorkRow } from './work-list.tsx'

/** What waits for me. */
export const Page = () => {
  const t = useT(workTexts)
  const can = useCan()
  const mayHandle = can('work_todo_handle')
  const actions = useCallback(
    (row: WorkRow): readonly RowAction[] =>
      mayHandle ? [{ key: 'handle', label: t('todo.handle'), onRun: () => goTo(handlePlace(row)) }] : [],
    [mayHandle, t],
  )
  return <WorkListPage list="todo" title={t('todo.title')} actions={actions} empty={<EmptyState text={t('todo.empty')} />} />
}
