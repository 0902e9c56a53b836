import { lazy, Suspense } from 'react'
import { richPictureBase } from '#contract/kernel/rich-text.ts'
import { noticeMachine } from '#contract/news/notice.state.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { Row } from '#web/resource/fields.ts'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { isOut } from './is-out.ts'
import { newsTexts } from './texts.ts'

const RichText = lazy(async () => ({ default: (await import('#web/kernel/rich-text.tsx')).RichText }))

const Scheduled = ({ time }: { readonly time: string }) => {
  const t = useT(newsTexts)
  return <StatusTag tone="active" text={t('state.scheduled', { time: minuteOf(time) })} />
}

/** The text as its readers see it, and of what is published for later when that is. */
export const cells = {
  content: (row: Row) => (
    <Suspense fallback={null}>
      <RichText html={String(row.content ?? '')} />
    </Suspense>
  ),
  state: (row: Row) =>
    Number(row.state) === noticeMachine.wire.published && typeof row.releaseTime === 'string' && !isOut(row) ? (
      <Scheduled time={row.releaseTime} />
    ) : undefined,
}
export const newsCells = {
  ...cells,
  coverId: (row: Row) => (row.coverId ? <img src={`${richPictureBase}${String(row.coverId)}`} alt="" width={240} /> : ''),
}
