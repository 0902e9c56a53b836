import { api } from './api.ts'
import { solve } from './solve-work.ts'

/** Key and answer of a captcha that nobody has to see, hear or type. */
export const workInstead = async (): Promise<{ readonly key: string; readonly code: string }> => {
  const { key, bits } = await api.request<{ key: string; bits: number }>({
    method: 'GET',
    path: '/blade-auth/oauth/captcha-work',
    answer: 'bare',
  })
  return { key, code: await solve(key, bits) }
}
