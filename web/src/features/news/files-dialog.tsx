import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { sizeOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import type { Row } from '#web/resource/fields.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { sendDocument } from './inputs.tsx'
import { newsTexts } from './texts.ts'
import './news.css'

/** Files of one notice: read always, changed while it is a draft. */
export const FilesDialog = ({
  row,
  mayChange,
  onClose,
}: {
  readonly row: Row
  readonly mayChange: boolean
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
  const isDraft = Number(row.state) === 0
  const change = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      notify('success', done)
    } catch {
      // The api client has said why.
    } finally {
      setBusy(false)
      await query.refetch()
    }
  }
  const add = (files: readonly File[]) =>
    change(async () => {
      for (const file of files) {
        const { fileId } = await sendDocument(file)
        await api.request({ method: 'POST', path: '/blade-desk/notice/submit', body: { id: row.id, fileIds: fileId } })
      }
    }, t('files.added'))
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
                  {mayChange && isDraft ? (
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
      {mayChange && isDraft ? (
        <>
          <button type="button" className="button" disabled={busy} onClick={() => chooser.current?.click()}>
            {t('files.add')}
          </button>
          <input
            ref={chooser}
            type="file"
            style={{ display: 'none' }}
            multiple
            aria-label={t('files.add')}
            accept=".pdf,.docx,.xlsx,.jpg,.jpeg,.png"
            onChange={event => {
              void add([...(event.target.files ?? [])])
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
