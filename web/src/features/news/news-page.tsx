import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { news } from '#contract/news/news.resource.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { ContentInput, CoverInput } from './inputs.tsx'
import { useMoves } from './use-moves.tsx'

const inputs: InputSlots = { content: props => <ContentInput {...props} />, coverId: props => <CoverInput {...props} /> }

/** News of the bureau (S7.26). */
export const Page = () => {
  const client = useQueryClient()
  const reload = useCallback(() => void client.invalidateQueries({ queryKey: listKey(news.name) }), [client])
  const { actions, dialogs } = useMoves('news', useCan()('news_release'), reload)
  return (
    <>
      <ResourcePage resource={news} inputs={inputs} rowActions={actions} />
      {dialogs}
    </>
  )
}
