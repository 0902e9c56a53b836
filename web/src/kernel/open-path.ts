import { useLang } from './i18n/index.ts'
import { tenantId } from './session.ts'

/** The public pages of examinations, which the server draws: in the language of the reader and of the tenant that this browser knows. */
export const useOpenPath = (): ((path: string) => string) => {
  const lang = useLang()
  return path => {
    const tenant = tenantId()
    const query = new URLSearchParams({ lang, ...(tenant === null ? {} : { tenantId: tenant }) })
    return `${path}?${query}`
  }
}

/** The public page of the examination that an address of the candidates' pages is about; null for any other address. */
export const openPageOf = (path: string): string | null => {
  const id = /^\/signup\/(?:exam|form)\/(\d{1,18})(?:[/?#]|$)/.exec(path)?.[1]
  return id === undefined ? null : `/open/${id}`
}
