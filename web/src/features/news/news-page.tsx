import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { news } from '#contract/news/news.resource.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { newsCells } from './cells.tsx'
import { ContentInput, CoverInput } from './inputs.tsx'
import { isDraft } from './is-out.ts'
import { newsTexts } from './texts.ts'
import { useMoves } from './use-moves.tsx'

const inputs: InputSlots = { content: props => <ContentInput {...props} />, coverId: props => <CoverInput {...props} /> }

/** News of the bureau (S7.26). */
export const Page = () => {
  const t = useT(newsTexts)
  const keeps = useCallback((row: Row) => (isDraft(row) && !row.withdrawnTime ? undefined : t('kept', { title: String(row.title) })), [t])
  const client = useQueryClient()
  const reload = useCallback(() => void client.invalidateQueries({ queryKey: listKey(news.name) }), [client])
  const { actions, dialogs } = useMoves('news', useCan()('news_release'), reload)
  return (
    <>
      <ResourcePage resource={news} inputs={inputs} cells={newsCells} isOpen={isDraft} keeps={keeps} rowActions={actions} />
      {dialogs}
    </>
  )
}
