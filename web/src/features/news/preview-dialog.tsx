import { useQuery } from '@tanstack/react-query'
import { createElement, Fragment, type ReactNode } from 'react'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { emptyTags, parseRich, type RichNode } from '#web/kernel/rich-html.ts'
import type { Row } from '#web/resource/fields.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { newsTexts } from './texts.ts'
import './news.css'

const lowered: Readonly<Record<string, string>> = { h1: 'h3', h2: 'h3', h3: 'h4' }
const draw = (node: RichNode | string, key: number): ReactNode => {
  if (typeof node === 'string') return node
  const children = node.children.map(draw)
  if (node.tag === 'root') return <Fragment key={key}>{children}</Fragment>
  const outside = node.tag === 'a' ? { rel: 'noreferrer', target: '_blank' } : {}
  return createElement(lowered[node.tag] ?? node.tag, { key, ...node.attributes, ...outside }, ...(emptyTags.has(node.tag) ? [] : children))
}

/** A text as its readers see it on a phone, after the server has cleaned it. */
export const PreviewDialog = ({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) => {
  const t = useT(newsTexts)
  const content = String(row.content ?? '')
  const query = useQuery({
    queryKey: ['notice-preview', row.id, row.version],
    queryFn: ({ signal }) => api.call('POST /blade-desk/notice/preview', { content }, { signal, quiet: true }),
    staleTime: 0,
  })
  return (
    <ActionDialog title={t('preview.title')} size="two" onClose={onClose}>
      <Loaded query={query} skeletonRows={6}>
        {shown => (
          <article className="news-phone">
            <h3>{String(row.title)}</h3>
            {row.releaseTime ? <p className="news-time">{minuteOf(String(row.releaseTime))}</p> : null}
            {draw(parseRich(shown.content), 0)}
          </article>
        )}
      </Loaded>
    </ActionDialog>
  )
}
