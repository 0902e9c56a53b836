import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { ReadOutput } from '../calls.ts'
import { Tag } from '../kit/blocks.tsx'
import { Link } from '../kit/router.tsx'
import { newsTexts, typeKey } from './texts.ts'

export type NoticeLine = ReadOutput<'notices'>['records'][number]

export const NoticeTags = ({ row }: { readonly row: NoticeLine }) => {
  const t = useT(newsTexts)
  return (
    <span className="p-row">
      <Tag>{t(typeKey(row.noticeType))}</Tag>
      {row.isTop && !row.isOver && <Tag tone="active">{t('notice.top')}</Tag>}
      {row.isOver && <Tag>{t('notice.over')}</Tag>}
      {row.needSure && row.sureTime === null && <Tag tone="warning">{t('notice.needSure')}</Tag>}
    </span>
  )
}

/** A notice in a list: the whole card is one link. */
export const NoticeCard = ({ row, heading: Heading = 'h2' }: { readonly row: NoticeLine; readonly heading?: 'h2' | 'h3' }) => (
  <article className="p-card p-stack p-gap-s p-card-link">
    <NoticeTags row={row} />
    <Heading>
      <Link href={`/notices/${row.id}`}>{row.title}</Link>
    </Heading>
    {row.summary !== '' && <p className="p-small p-soft">{row.summary}</p>}
    <p className="p-small p-dim p-num">{minuteOf(row.releaseTime)}</p>
  </article>
)
