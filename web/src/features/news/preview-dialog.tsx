import { useQuery } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { RichText } from '#web/kernel/rich-text.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { newsTexts } from './texts.ts'
import './news.css'

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
            <RichText html={shown.content} />
          </article>
        )}
      </Loaded>
    </ActionDialog>
  )
}
