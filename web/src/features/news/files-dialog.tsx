import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { acceptOf, isOfKind } from '#web/kernel/accept.ts'
import { api } from '#web/kernel/api.ts'
import { sizeOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import type { Row } from '#web/resource/fields.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { sendDocument } from './inputs.tsx'
import { isDraft } from './is-out.ts'
import { newsTexts } from './texts.ts'
import './news.css'

/** What the server takes beside a notice at most; a tenant may have lowered it, and says so then. */
const documentLimits = [
  { types: ['pdf'], maxBytes: 5 * 1024 * 1024 },
  { types: ['docx', 'xlsx'], maxBytes: 10 * 1024 * 1024 },
  { types: ['jpg', 'png'], maxBytes: 2 * 1024 * 1024 },
] as const

/** Files of one notice: read always, changed while it is a draft. */
export const FilesDialog = ({
  row,
  mayChange,
  onChanged,
  onClose,
}: {
  readonly row: Row
  readonly mayChange: boolean
  /** The notice has a new version then, which its list must know before it is published. */
  readonly onChanged: () => void
  readonly onClose: () => void
}) => {
  const t = useT(newsTexts)
  const chooser = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const query = useQuery({
    queryKey: ['notice-files', row.id],
    queryFn: ({ signal }) => api.call('GET /blade-desk/notice/getNoticeFiles', { noticeId: row.id }, { signal, quiet: true }),
    staleTime: 0,
  })
  const mayAdd = mayChange && isDraft(row)
  const change = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      notify('success', done)
    } catch {
      // The api client has said why.
    } finally {
      setBusy(false)
      onChanged()
      await query.refetch()
    }
  }
  const add = (chosen: readonly File[]) => {
    const files = chosen.filter(file => {
      const limit = documentLimits.find(({ types }) => isOfKind(file.name, types))
      const isRight = limit !== undefined && file.size <= limit.maxBytes
      if (!isRight)
        notify(
          'warning',
          limit === undefined
            ? t('files.wrongType', { name: file.name })
            : t('files.tooBig', { name: file.name, size: sizeOf(limit.maxBytes) }),
        )
      return isRight
    })
    if (files.length === 0) return
    void change(async () => {
      for (const file of files) {
        const { fileId } = await sendDocument(file)
        await api.request({ method: 'POST', path: '/blade-desk/notice/submit', body: { id: row.id, fileIds: fileId } })
      }
    }, t('files.added'))
  }
  return (
    <ActionDialog title={t('files.title', { title: String(row.title) })} size="two" onClose={onClose}>
      <Loaded query={query} skeletonRows={2}>
        {files =>
          files.length === 0 ? (
            <EmptyState text={t('files.none')} />
          ) : (
            <ul className="news-files">
              {files.map(file => (
                <li key={file.id}>
                  <a href={file.link} target="_blank" rel="noreferrer">
                    {file.name}
                  </a>
                  <span>{sizeOf(Number(file.size))}</span>
                  <span>{t('files.downs', { count: Number(file.downCount) })}</span>
                  {mayAdd ? (
                    <button
                      type="button"
                      className="link-button"
                      disabled={busy}
                      onClick={() =>
                        void change(
                          () =>
                            api.request({
                              method: 'POST',
                              path: '/blade-desk/notice/submit',
                              body: { id: row.id, removeFileIds: file.id },
                            }),
                          t('files.removed'),
                        )
                      }
                    >
                      {t('files.remove')}
                    </button>
                  ) : null}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {mayAdd ? (
        <>
          <p>{t('files.limits')}</p>
          <button type="button" className="button" disabled={busy} onClick={() => chooser.current?.click()}>
            {t('files.add')}
          </button>
          <input
            ref={chooser}
            type="file"
            hidden
            multiple
            aria-label={t('files.add')}
            accept={acceptOf(documentLimits.flatMap(({ types }) => types))}
            onChange={event => {
              add([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </>
      ) : mayChange ? (
        <p>{t('files.draftOnly')}</p>
      ) : null}
    </ActionDialog>
  )
}
