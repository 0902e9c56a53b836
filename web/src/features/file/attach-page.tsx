import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { attach } from '#contract/file/attach.resource.ts'
import { maxUploadBytes } from '#contract/file/file.routes.ts'
import { api } from '#web/kernel/api.ts'
import { sizeOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { upload } from '#web/kernel/upload.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { UploadList } from '#web/ui/upload-list.tsx'
import { fileTexts } from './texts.ts'
import './file.css'

const limits = { types: ['pdf', 'jpg', 'png', 'docx', 'xlsx'], maxBytes: maxUploadBytes }
/** Of one choice or drop. */
const mostAtOnce = 50
const without = ['add'] as const

interface Answer {
  readonly attachId: string
  readonly originalName: string
}

/** Files that staff share: dropped or chosen, several at a time (S7.24). */
export const Page = () => {
  const t = useT(fileTexts)
  const can = useCan()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [mayUpload, mayDownload] = [can('attach_upload'), can('attach_download')]
  const cells = useMemo(
    () => ({
      attachSize: (row: Row) => sizeOf(Number(row.attachSize)),
    }),
    [],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] => {
      // The links of the list last ten minutes: a fresh one is asked for.
      const save = async () => {
        try {
          const { link } = await api.request<{ readonly link: string }>({
            method: 'GET',
            path: `${attach.basePath}/detail`,
            query: { id: row.id },
          })
          const anchor = document.createElement('a')
          anchor.href = link
          anchor.download = String(row.originalName)
          anchor.click()
        } catch {
          // The api client has said why.
        }
      }
      return mayDownload ? [{ key: 'download', label: t('attach.download'), onRun: () => void save() }] : []
    },
    [t, mayDownload],
  )
  return (
    <ResourcePage
      resource={attach}
      cells={cells}
      rowActions={actions}
      without={without}
      toolbar={() =>
        mayUpload ? (
          <button type="button" className="button button-primary" aria-expanded={isOpen} onClick={() => setOpen(open => !open)}>
            {t(isOpen ? 'attach.close' : 'attach.upload')}
          </button>
        ) : null
      }
      above={
        mayUpload && isOpen ? (
          <div className="file-drop">
            <UploadList
              limits={limits}
              most={mostAtOnce}
              value={[]}
              onChange={() => void client.invalidateQueries({ queryKey: listKey(attach.name) })}
              send={async (file, progress) => {
                const stored = await upload<Answer>('/blade-resource/oss/endpoint/put-file-attach', file, { ...progress, quiet: true })
                return { id: stored.attachId, name: stored.originalName, sizeBytes: file.size }
              }}
            />
          </div>
        ) : null
      }
    />
  )
}
