import { useQuery } from '@tanstack/react-query'
import { richPictureBase } from '#contract/kernel/rich-text.ts'
import { notice } from '#contract/news/notice.resource.ts'
import { api } from '#web/kernel/api.ts'
import { minuteOf, sizeOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { RichText } from '#web/kernel/rich-text.tsx'
import type { Row } from '#web/resource/fields.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { newsTexts } from './texts.ts'
import './news.css'

/** A text as its readers see it on a phone, after the server has cleaned it. */
export const PreviewDialog = ({
  row,
  of,
  onClose,
}: {
  readonly row: Row
  readonly of: 'notice' | 'news'
  readonly onClose: () => void
}) => {
  const t = useT(newsTexts)
  const content = String(row.content ?? '')
  const query = useQuery({
    queryKey: ['notice-preview', row.id, row.version],
    queryFn: ({ signal }) => api.call('POST /blade-desk/notice/preview', { content }, { signal, quiet: true }),
    staleTime: 0,
  })
  const isNotice = of === 'notice'
  const files = useQuery({
    queryKey: ['notice-files', row.id],
    queryFn: ({ signal }) => api.call('GET /blade-desk/notice/getNoticeFiles', { noticeId: row.id }, { signal, quiet: true }),
    enabled: isNotice,
    staleTime: 0,
  })
  const type = useDict(isNotice ? notice.fields.noticeType.dict : undefined).find(({ value }) => value === String(row.noticeType))
  const credits = isNotice ? [] : [row.source, row.author].filter(each => typeof each === 'string' && each !== '').map(String)
  return (
    <ActionDialog title={t('preview.title')} size="two" onClose={onClose}>
      <Loaded query={query} skeletonRows={6}>
        {shown => (
          <article className="news-phone">
            <h3>{String(row.title)}</h3>
            <p className="news-time">
              {[
                ...(type === undefined ? [] : [type.label]),
                row.releaseTime ? minuteOf(String(row.releaseTime)) : t('preview.undated'),
                ...credits,
              ].join(' · ')}
            </p>
            {!isNotice && row.coverId ? <img className="news-cover" src={`${richPictureBase}${String(row.coverId)}`} alt="" /> : null}
            {!isNotice && row.summary ? <p className="news-time">{String(row.summary)}</p> : null}
            <RichText html={shown.content} />
            {(files.data ?? []).length === 0 ? null : (
              <>
                <h4>{t('files')}</h4>
                <ul>
                  {(files.data ?? []).map(file => (
                    <li key={file.id}>
                      {file.name} <span className="news-time">{sizeOf(Number(file.size))}</span>
                    </li>
                  ))}
                </ul>
              </>
            )}
            {isNotice && Number(row.needSure) === 1 ? (
              <div className="news-sure">
                <p>{t('preview.sureHint')}</p>
                <button type="button" className="button button-primary" disabled>
                  {t('preview.sure')}
                </button>
              </div>
            ) : null}
          </article>
        )}
      </Loaded>
    </ActionDialog>
  )
}
