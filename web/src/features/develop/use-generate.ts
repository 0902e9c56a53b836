import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { code } from '#contract/develop/code.resource.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { saveFile } from '#web/kernel/save-file.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { developTexts } from './texts.ts'

/** Generates configurations into a zip, which the browser saves. The function answers whether it came about. */
export const useGenerate = (): ((ids: readonly string[]) => Promise<boolean>) => {
  const t = useT(developTexts)
  const client = useQueryClient()
  return useCallback(
    async ids => {
      const got = await api.blob({ method: 'POST', path: '/blade-develop/code/gen-code', body: { ids: ids.join(',') } }).catch(() => null)
      if (got?.kind !== 'file') return false // The api client has said why.
      saveFile(got.blob, got.fileName ?? 'kaopu-code.zip')
      notify('success', t('code.done'))
      await client.invalidateQueries({ queryKey: listKey(code.name) })
      return true
    },
    [client, t],
  )
}
