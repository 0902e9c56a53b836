import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { api } from '../kernel/api.ts'
import { minuteOf } from '../kernel/format.ts'
import { useLabel, useLang, useT } from '../kernel/i18n/index.ts'
import { readStored, writeStored } from '../kernel/storage.ts'
import { FailedState } from '../ui/states.tsx'
import { goTo } from './go.ts'
import { samples } from './notice-samples.ts'
import { type Notice, type NoticeTab, noticesQuery } from './notices.ts'
import { shellTexts } from './texts.ts'
import './notice-popover.css'

const tabs: readonly NoticeTab[] = ['mail', 'messages', 'notices']

const readOne = ({ id, isNotice }: Notice) =>
  isNotice ? api.call('POST /blade-exam/examination/readNotice', { id }) : api.call('POST /blade-exam/examination/readNotify', { id })

const openBeside = (address: string) => window.open(address, '_blank', 'noopener')

const Row = ({ notice, onOpen, onSure }: { readonly notice: Notice; readonly onOpen: () => void; readonly onSure: () => void }) => {
  const t = useT(shellTexts)
  return (
    <li data-unread={notice.isUnread}>
      <button type="button" className="notice-open" onClick={onOpen}>
        {notice.isUnread ? <span className="notice-dot">{t('notice.unread')}</span> : null}
        <strong>{notice.title}</strong>
        <span>{notice.content}</span>
        <time>{minuteOf(notice.createTime)}</time>
      </button>
      {notice.needSure && notice.sureTime === null ? (
        <button type="button" className="button button-small" onClick={onSure}>
          {t('notice.sure')}
        </button>
      ) : null}
    </li>
  )
}

/** S2.42: mail, messages and notices; the person's own above, the specification's samples below. */
export const NoticePanel = ({ close }: { readonly close: () => void }) => {
  const t = useT(shellTexts)
  const label = useLabel()
  const id = useId()
  const client = useQueryClient()
  const query = useQuery(noticesQuery(useLang()))
  const found = query.data?.tabs ?? []
  const [tab, setTab] = useState<NoticeTab>(() => found.find(each => each.unreadCount > 0)?.tab ?? 'mail')
  const [hidden, setHidden] = useState(() => readStored<boolean>('samplesHidden') === true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the panel takes the focus once, when it has come
  useEffect(() => void document.getElementById(`${id}-${tab}`)?.focus(), [])
  const current = found.find(each => each.tab === tab)
  const own = current?.records ?? []
  const change = async (work: Promise<unknown>) => {
    try {
      await work
    } catch {
      // Said by the api client.
    }
    await client.invalidateQueries({ queryKey: ['shell', 'notices'] })
  }
  const open = (notice: Notice) => {
    if (notice.readTime === null) void change(readOne(notice))
    if (notice.link !== '' && (notice.isNotice || !notice.needSure)) {
      close()
      // What everybody may read is drawn by another program: the tabs here stay as they are.
      if (notice.isNotice) openBeside(notice.link)
      else goTo(notice.link)
    }
  }
  const onTabKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const step = event.key === 'ArrowRight' ? 1 : -1
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] ?? tab
    setTab(next)
    document.getElementById(`${id}-${next}`)?.focus()
  }
  return (
    <>
      <div role="tablist" className="notice-tabs" aria-label={t('notice.title')}>
        {tabs.map(each => {
          const count = found.find(({ tab: name }) => name === each)?.unreadCount ?? 0
          return (
            <button
              key={each}
              id={`${id}-${each}`}
              type="button"
              role="tab"
              aria-selected={each === tab}
              aria-controls={`${id}-panel`}
              tabIndex={each === tab ? 0 : -1}
              onClick={() => setTab(each)}
              onKeyDown={onTabKey}
            >
              {t(`notice.${each}`)}
              {count > 0 ? ` (${count})` : ''}
            </button>
          )
        })}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`} className="notice-panel">
        {query.isError && query.data === undefined ? <FailedState onRetry={() => void query.refetch()} /> : null}
        {current !== undefined && own.length === 0 ? <p className="notice-none">{t('notice.none')}</p> : null}
        <ul>
          {own.map(notice => (
            <Row
              key={notice.id}
              notice={notice}
              onOpen={() => open(notice)}
              onSure={() =>
                void change(
                  api.call('POST /blade-exam/examination/sureNotify', {
                    id: notice.id,
                    ...(notice.textVersion === null ? {} : { textVersion: notice.textVersion }),
                  }),
                )
              }
            />
          ))}
        </ul>
        {hidden || query.data?.hasSamples !== true ? null : (
          <section className="notice-samples" aria-label={t('notice.samples')}>
            <h3>
              {t('notice.samples')}
              <button
                type="button"
                className="link-button"
                onClick={() => {
                  setHidden(true)
                  writeStored('samplesHidden', true)
                }}
              >
                {t('notice.hideSamples')}
              </button>
            </h3>
            <ul>
              {samples[tab].map(sample => (
                <li key={sample.title.zh}>
                  <strong>{label(sample.title)}</strong>
                  <span>{label(sample.text)}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <div className="notice-foot">
        <button
          type="button"
          className="link-button"
          disabled={(current?.unreadCount ?? 0) === 0}
          onClick={() =>
            void change(
              tab === 'notices'
                ? api.call('POST /blade-exam/examination/readNotice', { all: 1 })
                : api.call('POST /blade-exam/examination/readNotify', { all: 1, tab }),
            )
          }
        >
          {t('notice.readAll')}
        </button>
      </div>
    </>
  )
}
