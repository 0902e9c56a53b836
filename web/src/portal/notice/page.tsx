import { useEffect, useRef, useState } from 'react'
import { minuteOf } from '#web/kernel/format.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { WithDates } from '#web/kernel/with-dates.tsx'
import { useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { useSearchParams } from '../kit/address.ts'
import { Empty, Tag } from '../kit/blocks.tsx'
import { Load } from '../kit/load.tsx'
import { PageTitle } from '../kit/page-ui.tsx'
import { Link } from '../kit/router.tsx'
import { Button } from '../kit/ui.tsx'
import { WaitingNotices } from '../news/home-blocks.tsx'
import type { NotifyRow } from '../wire.ts'
import { writes } from '../writes.ts'

const noticeTexts = defineTexts(
  {
    'notice.title': '消息',
    'notice.none': '还没有消息',
    'notice.noneHint': '审核结果、缴费、准考证和成绩的通知会出现在这里。',
    'notice.unread': '未读',
    'notice.needSure': '需确认',
    'notice.sured': '已确认 {time}',
    'notice.sure': '我已知悉，确认',
    'notice.go': '查看',
    'notice.readAll': '全部标为已读',
    'notice.more': '加载更多',
    'notice.kind.1': '审核结果',
    'notice.kind.2': '缴费',
    'notice.kind.3': '准考证',
    'notice.kind.4': '成绩',
    'notice.kind.5': '岗位变动',
    'notice.kind.6': '资格复审',
    'notice.kind.7': '系统',
  },
  {
    'notice.title': 'Messages',
    'notice.none': 'No messages yet',
    'notice.noneHint': 'News about the review, payments, tickets and results appear here.',
    'notice.unread': 'Unread',
    'notice.needSure': 'Please confirm',
    'notice.sured': 'Confirmed {time}',
    'notice.sure': 'Understood, confirm',
    'notice.go': 'Open',
    'notice.readAll': 'Mark all as read',
    'notice.more': 'Load more',
    'notice.kind.1': 'Review',
    'notice.kind.2': 'Payment',
    'notice.kind.3': 'Ticket',
    'notice.kind.4': 'Result',
    'notice.kind.5': 'Post change',
    'notice.kind.6': 'Re-review',
    'notice.kind.7': 'System',
  },
)

type Kind = 1 | 2 | 3 | 4 | 5 | 6 | 7

const Message = ({ row, open, onChanged }: { readonly row: NotifyRow; readonly open: boolean; readonly onChanged: () => void }) => {
  const t = useT(noticeTexts)
  const [busy, setBusy] = useState(false)
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (open) place.current?.scrollIntoView({ block: 'center' })
  }, [open])
  const read = () => {
    if (!row.readTime) void writes.readNotify({ id: row.id }).then(onChanged, () => {})
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message named in the address counts as read once
  useEffect(() => {
    if (open) read()
  }, [open])
  const sure = async () => {
    setBusy(true)
    try {
      await writes.sureNotify(row.id)
      onChanged()
    } catch {
      // The client has said why.
    } finally {
      setBusy(false)
    }
  }
  const kind = row.kind >= 1 && row.kind <= 7 ? (row.kind as Kind) : 7
  const needSure = Boolean(row.needSure) && !row.sureTime
  return (
    <article ref={place} className="p-card p-stack p-gap-s">
      <div className="p-row">
        <Tag>{t(`notice.kind.${kind}`)}</Tag>
        {!row.readTime && <Tag tone="danger">{t('notice.unread')}</Tag>}
        {needSure && <Tag tone="warning">{t('notice.needSure')}</Tag>}
      </div>
      <h2>{row.title}</h2>
      <p style={{ whiteSpace: 'pre-line' }}>
        <WithDates text={row.content} />
      </p>
      <p className="p-small p-dim p-num">
        {minuteOf(row.createTime)}
        {row.sureTime && ` · ${t('notice.sured', { time: minuteOf(row.sureTime) })}`}
      </p>
      {(needSure || !row.readTime || row.link) && (
        <div className="p-card-foot">
          {needSure && (
            <Button look="primary" busy={busy} onClick={() => void sure()}>
              {t('notice.sure')}
            </Button>
          )}
          {row.link && /^\/(?![/\\])/.test(row.link) && (
            <Link href={row.link} className="p-btn" onClick={read}>
              {t('notice.go')}
            </Link>
          )}
        </div>
      )}
    </article>
  )
}

/** Personal messages; those that wait for a confirmation come first. */
export const NoticePage = () => {
  const t = useT(noticeTexts)
  const [params] = useSearchParams()
  const [size, setSize] = useState(50)
  const messages = useRead('messages', { current: 1, size }, { keep: true })
  const changed = () => void refresh('messages')
  const records = messages.data?.records ?? []
  const unread = records.some(row => !row.readTime)
  return (
    <>
      <PageTitle
        title={t('notice.title')}
        side={
          unread && (
            <Button look="text" onClick={() => void writes.readNotify({ all: 1 }).then(changed, () => {})}>
              {t('notice.readAll')}
            </Button>
          )
        }
      />
      <div className="p-stack">
        <WaitingNotices />
        <Load query={messages} skeleton={[130, 130, 130]}>
          {page =>
            page.records.length === 0 ? (
              <Empty text={t('notice.none')} hint={t('notice.noneHint')} />
            ) : (
              <div className="p-stack">
                {page.records
                  .toSorted((a, b) => Number(Boolean(b.needSure) && !b.sureTime) - Number(Boolean(a.needSure) && !a.sureTime))
                  .map(row => (
                    <Message key={row.id} row={row} open={row.id === params.get('id')} onChanged={changed} />
                  ))}
                {page.total > page.records.length && size < 200 && (
                  <Button block busy={messages.isFetching} onClick={() => setSize(Math.min(200, size + 50))}>
                    {t('notice.more')}
                  </Button>
                )}
              </div>
            )
          }
        </Load>
      </div>
    </>
  )
}
